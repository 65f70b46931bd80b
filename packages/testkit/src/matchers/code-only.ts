/** A comment, a string or a template: what a parser does not read as code. */
const notCode = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g;

/** A source text without its comments and strings. */
export function codeOnly(text: string): string {
  return text.replace(notCode, " ");
}
