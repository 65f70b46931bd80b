import { type Bracket, scanBrackets } from "./bracket-scan.ts";
import { recogniseForeign, refuseForeign } from "./foreign-language.ts";
import { LineTable } from "./line-table.ts";
import { SourceProblem } from "./source-problem.ts";

/** Rewords a syntax error in a text so that a model can mend its program in one go. */
export function explainSyntaxError(problem: SourceProblem, text: string): SourceProblem {
  if (problem.kind !== "syntax") return problem;
  const foreign = recogniseForeign(text, problem.offset);
  if (foreign !== undefined) return refuseForeign(foreign);
  const reason = awaitReason(problem, text) ?? bracketReason(problem, text) ?? tokenReason(problem, text);
  return new SourceProblem("refused", `SyntaxError: ${reason}${advice(problem, text)}`, problem.offset);
}

/** An `await` in a plain function is an identifier to the parser, so it stumbles over what follows. */
function awaitReason({ message, offset }: SourceProblem, text: string): string | undefined {
  const isAfterAwait = /(?:^|[^\w$.])await[ \t]+$/.test(text.slice(Math.max(0, offset - 40), offset));
  const isAtAwait = text.startsWith("await", offset);
  if (!isAfterAwait && !(isAtAwait && /await/.test(message))) return undefined;
  return "`await` is only allowed in async functions; write `async` before the function around it (callbacks too: `async (x) => …`)";
}

function bracketReason({ message, offset }: SourceProblem, text: string): string | undefined {
  const { unclosed, mismatch } = scanBrackets(text);
  const lines = new LineTable(text);
  if (mismatch?.closing.offset === offset) {
    if (mismatch.open === undefined)
      return `unexpected \`${mismatch.closing.char}\`: nothing is open that it could close`;
    return `unexpected \`${mismatch.closing.char}\`: the ${openedAt(mismatch.open, lines)} is not closed yet`;
  }
  const isAtEnd = text.slice(offset).trim() === "" || message === "Unterminated template";
  if (!isAtEnd || unclosed === undefined) return undefined;
  return `unexpected end of input: the ${openedAt(unclosed, lines)} is never closed`;
}

function openedAt({ char, offset }: Bracket, lines: LineTable): string {
  const { line, column } = lines.positionAt(offset);
  return char === "`" ? `template literal at ${line}:${column}` : `\`${char}\` at ${line}:${column}`;
}

function tokenReason({ message, offset }: SourceProblem, text: string): string {
  if (message !== "Unexpected token") return message;
  const token = /^(?:[\p{ID_Continue}$]{1,40}|=>|\S)/u.exec(text.slice(offset, offset + 80))?.[0];
  return token === undefined ? "unexpected end of input" : `unexpected \`${token}\``;
}

function advice({ message, offset }: SourceProblem, text: string): string {
  if (/[\u2018\u2019\u201c\u201d]/.test(text.charAt(offset))) return ". Use straight quotes (' or \")";
  if (/^[ \t]*(?:`{3,}|~{3,})/m.test(text))
    return ". Send only the program: no prose and no second Markdown fence around it";
  if (/&(?:gt|lt|amp|quot);/.test(text))
    return ". The text holds HTML entities such as `&gt;`; send the characters themselves";
  if (text.charAt(offset) === "\\" || /Unicode escape/.test(message))
    return ". A `\\n` outside a string is not a line break: send real line breaks";
  return "";
}
