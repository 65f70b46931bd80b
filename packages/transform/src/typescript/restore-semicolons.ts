/** A statement that starts like this goes on with the one before, unless a semicolon ends that one. */
const continuing = new Set(["(", "[", "`", "+", "-", "*", "/"]);

/**
 * Puts back semicolons that were erased together with the types they end, where what follows would otherwise be read
 * as going on: `let a = f⏎type T = 1⏎;(a)` must not become a call. Both texts have the same offsets.
 */
export function restoreSemicolons(source: string, code: string): string {
  const parts: string[] = [];
  let done = 0;
  for (let at = source.indexOf(";"); at !== -1; at = source.indexOf(";", at + 1)) {
    if (code[at] !== " ") continue;
    const next = skipBlank(source, at + 1);
    if (code[next] !== source[next] || !continuing.has(code[next] ?? "")) continue;
    parts.push(code.slice(done, at), ";");
    done = at + 1;
  }
  return parts.join("") + code.slice(done);
}

/** Behind white space and comments. */
function skipBlank(text: string, from: number): number {
  const blanks = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
  blanks.lastIndex = from;
  blanks.test(text);
  return blanks.lastIndex;
}
