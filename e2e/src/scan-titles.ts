/** A test found in a source file; `active` is false for skip, todo and fails, which prove nothing. */
export type TestTitle = { readonly title: string; readonly active: boolean };

type Span = { readonly kind: "code" | "string" | "blank"; readonly text: string };

const regexMayFollow =
  /(?:^|[=([{,;:!&|?+\-*%<>~^}]|=>|\b(?:return|typeof|case|in|of|void|throw|await|new|do|else))\s*$/;
const testCall = /(?<![\w$.#])(?:it|test)((?:\s*\.\s*\w+)*)\s*\($/;
const inactive = /\.\s*(?:skip|todo|fails|skipIf)\b/;
const tabled = /\.\s*(?:each|for|runIf|skipIf)\b/;

/** The titles of `it(…)` and `test(…)` calls (also `.each` and `.for`) in TypeScript source; comments and strings are not read as code. */
export function scanTitles(source: string): readonly TestTitle[] {
  const spans = splitSource(source);
  const titles: TestTitle[] = [];
  let code = "";
  for (const span of spans) {
    if (span.kind === "string") {
      const modifiers = callBefore(code);
      if (modifiers !== undefined) titles.push({ title: span.text, active: !inactive.test(modifiers) });
      code += '""';
    } else code += span.text;
  }
  return titles;
}

/** The modifiers of the test call whose first argument comes next, or undefined if none does. */
function callBefore(code: string): string | undefined {
  const trimmed = code.trimEnd();
  const direct = testCall.exec(trimmed.slice(-200));
  if (direct !== null) return tabled.test(direct[1] ?? "") ? undefined : (direct[1] ?? "");
  if (!/[)]\s*\($/.test(trimmed)) return undefined;
  const open = matchingOpen(trimmed, trimmed.lastIndexOf(")"));
  const table = testCall.exec(trimmed.slice(Math.max(0, open - 200), open + 1));
  return table !== null && tabled.test(table[1] ?? "") ? table[1] : undefined;
}

function matchingOpen(code: string, close: number): number {
  let depth = 0;
  for (let at = close; at >= 0; at--) {
    if (code[at] === ")") depth++;
    if (code[at] === "(" && --depth === 0) return at;
  }
  return 0;
}

/** Source cut into code, string contents and blanked comments or regular expressions. */
function splitSource(source: string): readonly Span[] {
  const spans: Span[] = [];
  let at = 0;
  let start = 0;
  while (at < source.length) {
    const end = tokenEnd(source, at, start);
    if (end === undefined) {
      at++;
      continue;
    }
    spans.push({ kind: "code", text: source.slice(start, at) });
    const token = source.slice(at, end);
    const isString = /^["'`]/.test(token);
    spans.push(
      isString ? { kind: "string", text: withoutEscapes(token.slice(1, -1)) } : { kind: "blank", text: blankOf(token) },
    );
    at = start = end;
  }
  spans.push({ kind: "code", text: source.slice(start) });
  return spans;
}

/** A comment leaves a space, a regular expression leaves a value, so that what follows it reads as it should. */
function blankOf(token: string): string {
  return token.startsWith("//") || token.startsWith("/*") ? " " : "0";
}

function withoutEscapes(text: string): string {
  return text.replace(/\\(?:\r\n|([\s\S]))/g, (_, escaped: string | undefined) => escaped ?? "");
}

/** Where the string, comment or regular expression that begins at `at` ends; undefined if `at` is plain code. */
function tokenEnd(source: string, at: number, codeStart: number): number | undefined {
  const char = source[at];
  if (char === '"' || char === "'") return quotedEnd(source, at);
  if (char === "`") return templateEnd(source, at);
  if (char !== "/") return undefined;
  if (source[at + 1] === "/") return lineEnd(source, at);
  if (source[at + 1] === "*") return commentEnd(source, at);
  return regexMayFollow.test(source.slice(Math.max(codeStart, at - 40), at)) ? regexEnd(source, at) : undefined;
}

function commentEnd(source: string, at: number): number {
  const end = source.indexOf("*/", at + 2);
  return end < 0 ? source.length : end + 2;
}

function lineEnd(source: string, at: number): number {
  const end = source.indexOf("\n", at);
  return end < 0 ? source.length : end;
}

function quotedEnd(source: string, at: number): number {
  const quote = source[at];
  for (let next = at + 1; next < source.length; next++) {
    if (source[next] === "\\") next++;
    else if (source[next] === quote || source[next] === "\n") return next + 1;
  }
  return source.length;
}

/** A template ends at its own backtick: `${…}` may hold further templates. */
function templateEnd(source: string, at: number): number {
  let next = at + 1;
  while (next < source.length) {
    if (source[next] === "\\") next += 2;
    else if (source[next] === "`") return next + 1;
    else if (source[next] === "$" && source[next + 1] === "{") next = placeholderEnd(source, next + 2);
    else next++;
  }
  return source.length;
}

function placeholderEnd(source: string, at: number): number {
  let depth = 1;
  let next = at;
  while (next < source.length && depth > 0) {
    const inner = tokenEnd(source, next, at);
    if (inner !== undefined) {
      next = inner;
      continue;
    }
    if (source[next] === "{") depth++;
    if (source[next] === "}") depth--;
    next++;
  }
  return next;
}

function regexEnd(source: string, at: number): number | undefined {
  let inClass = false;
  for (let next = at + 1; next < source.length; next++) {
    const char = source[next];
    if (char === "\n") return undefined;
    if (char === "\\") next++;
    else if (char === "[") inClass = true;
    else if (char === "]") inClass = false;
    else if (char === "/" && !inClass) return next + 1;
  }
  return undefined;
}
