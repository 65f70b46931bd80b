import { CodeModeError, type CodeModeLanguage } from "@code-mode/contract";
import { prepareSource } from "@code-mode/transform";

const openEnded = /unexpected end of input|Unterminated (?:block )?comment|Missing catch or finally/;
const ended = /Unterminated (?:string|reg)/;

/** Whether a program could run, or is so wrong that no further line helps. */
export function isComplete(code: string, language: CodeModeLanguage): boolean {
  try {
    prepareSource({ code, language, typescriptEnabled: true });
    return true;
  } catch (error) {
    if (!CodeModeError.is(error)) throw error;
    if (openEnded.test(error.message)) return false;
    return ended.test(error.message) || !isAtEnd(code, error.details);
  }
}

/** The compilers of TypeScript say what they expected; where they are at the end, it may still come. */
function isAtEnd(code: string, details: CodeModeError["details"]): boolean {
  const lines = code.trimEnd().split("\n");
  const last = lines.at(-1) ?? "";
  if (/^[\s})\]]*$/.test(last)) return false;
  const { line, column } = details ?? {};
  return typeof line === "number" && typeof column === "number" && line >= lines.length && column > last.length;
}
