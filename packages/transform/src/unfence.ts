/** The text inside a Markdown fence; lines and columns are those of the fenced text. */
export type Unfenced = { readonly text: string; readonly tag: string };

/**
 * Takes a program out of its Markdown fence, if the whole text is one fence. The opening line becomes an empty
 * line, so that every other line keeps its number.
 */
export function unfence(source: string): Unfenced | undefined {
  const opening = /^\s*(`{3,}|~{3,})[ \t]*([^\s`]*)[^\r\n`]*(?:\r\n|\n|\r)/.exec(source);
  if (opening === null) return undefined;
  const [head, fence = "", tag = ""] = opening;
  const body = source.trimEnd();
  const closingStart = Math.max(body.lastIndexOf("\n"), body.lastIndexOf("\r")) + 1;
  const closing = body.slice(closingStart).trim();
  const isClosing = closing.length >= fence.length && closing === (fence[0] ?? "").repeat(closing.length);
  if (!isClosing || closingStart < head.length) return undefined;
  return { text: head.replace(/[^\r\n]/g, "") + source.slice(head.length, closingStart), tag: tag.toLowerCase() };
}
