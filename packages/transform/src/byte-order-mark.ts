/** The text without the byte order mark that Windows editors put first; no column counts it. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}
