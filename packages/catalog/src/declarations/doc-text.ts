/** Invisible characters that reorder or hide text in an editor or terminal. */
const invisible = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
/** Everything that could end a line, and the rest of the control characters. */
const breaks = /[\p{Cc}\u2028\u2029\s]+/gu;
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * Third-party text made inert for a comment: one line, no control or invisible characters, and no way to end the comment.
 * @param maxLength most characters; longer text is cut and ends in `…`
 */
export function docText(text: unknown, maxLength = Number.POSITIVE_INFINITY): string {
  if (typeof text !== "string") return "";
  // cut early: descriptions of megabytes exist, and only the start is shown
  const start = text.length > maxLength * 4 ? text.slice(0, maxLength * 4) : text;
  const line = start.replace(breaks, " ").replace(invisible, "").replace(loneSurrogate, "\ufffd").trim();
  return cutText(line, maxLength).replaceAll("*/", "*\\/");
}

/** The text, cut at a character boundary and ended with `…` when it is longer than `maxLength`. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const cut = text.slice(0, Math.max(0, maxLength - 1));
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** The first sentence of inert text, as `docText`. */
export function firstSentence(text: unknown, maxLength: number): string {
  const line = docText(text, maxLength * 2);
  const sentence = /^.{12,}?[.!?。](?=\s|$)/u.exec(line);
  return cutText(sentence === null ? line : sentence[0], maxLength);
}
