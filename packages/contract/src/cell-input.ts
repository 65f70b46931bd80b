import { type CodeModeLanguage, codeModeLanguages } from "./config.ts";
import { describeFound } from "./describe-found.ts";
import { CodeModeError } from "./error.ts";
import { didYouMean } from "./nearest.ts";

/** `exec` input after validation. */
export type ExecInput = { readonly code: string; readonly language: CodeModeLanguage; readonly restartSafe: boolean };

/** `wait` input after validation. */
export type WaitInput = { readonly runId: string };

/** What `parseExecInput` needs of the configuration. */
export type ExecInputRules = { readonly languages: readonly CodeModeLanguage[]; readonly maxSourceBytes: number };

const execKeys = ["code", "command", "language", "restartSafe"];

/** Short forms that models send for a language; they mean the enabled one of that name. */
const languageAliases: Readonly<Record<string, CodeModeLanguage>> = { js: "javascript", ts: "typescript" };

/**
 * Parses the input of `exec` (EXEC-1, EXEC-2).
 * @throws CodeModeError `invalid_input`
 */
export function parseExecInput(input: unknown, rules: ExecInputRules): ExecInput {
  const fields = parseFields(input, execKeys, "exec", '{"code": "return 1"}');
  const code = pickCode(fields);
  if (fields.restartSafe !== undefined && typeof fields.restartSafe !== "boolean")
    throw invalid(`exec.restartSafe: found ${describeFound(fields.restartSafe)}, expected true or false.`);
  const language = parseLanguage(fields.language, rules.languages);
  assertSource(code, rules.maxSourceBytes);
  return { code, language, restartSafe: fields.restartSafe === true };
}

/**
 * Parses the input of `wait` (WAIT-1).
 * @throws CodeModeError `invalid_input`
 */
export function parseWaitInput(input: unknown): WaitInput {
  const { runId } = parseFields(input, ["runId"], "wait", '{"runId": "…"}');
  if (typeof runId !== "string" || runId === "")
    throw invalid(`wait.runId: found ${describeFound(runId)}, expected the runId of a waiting result.`);
  return { runId };
}

function parseFields(input: unknown, known: readonly string[], tool: string, example: string): Record<string, unknown> {
  if (typeof input !== "object" || input === null || Array.isArray(input))
    throw invalid(`${tool}: found ${describeFound(input)}, expected an object such as ${example}.`);
  for (const key of Object.keys(input)) {
    if (!known.includes(key))
      throw invalid(
        `${tool}.${key.slice(0, 80)}: unknown key.${didYouMean(key, known)} Known keys: ${known.join(", ")}.`,
      );
  }
  return input as Record<string, unknown>;
}

function pickCode(fields: Record<string, unknown>): string {
  for (const key of ["code", "command"]) {
    const value = fields[key];
    if (value !== undefined && typeof value !== "string")
      throw invalid(`exec.${key}: found ${describeFound(value)}, expected a string of source text.`);
  }
  const given = [fields.code, fields.command].filter(
    (text): text is string => typeof text === "string" && text.trim() !== "",
  );
  if (given.length === 0)
    throw invalid('exec.code: the program is empty. Send source text, for example {"code": "return 1"}.');
  if (given.length === 2 && given[0] !== given[1])
    throw invalid(
      "exec.code and exec.command differ. Send only code; command is an alias and must be identical when both are present.",
    );
  return given[0] as string;
}

function parseLanguage(found: unknown, enabled: readonly CodeModeLanguage[]): CodeModeLanguage {
  const names = enabled.length === 0 ? "none (tools.codeMode.languages is empty)" : enabled.join(", ");
  if (found !== undefined && typeof found !== "string")
    throw invalid(`exec.language: found ${describeFound(found)}; enabled languages: ${names}.`);
  const name = found === undefined ? "javascript" : (languageAliases[found] ?? found);
  if (!codeModeLanguages.some((language) => language === name))
    throw invalid(
      `exec.language: ${describeFound(found)} is not a language of code mode; enabled languages: ${names}. Rewrite the program in one of them.`,
    );
  if (!enabled.some((language) => language === name))
    throw invalid(`exec.language: ${name} is disabled; enabled languages: ${names}.`);
  return name as CodeModeLanguage;
}

function assertSource(code: string, maxSourceBytes: number): void {
  const bytes = new TextEncoder().encode(code).byteLength;
  if (bytes > maxSourceBytes)
    throw new CodeModeError(
      "invalid_input",
      `exec.code: ${bytes} bytes, at most ${maxSourceBytes} are allowed. Keep data out of the program: read it through tools.`,
      { details: { bytes, limit: maxSourceBytes } },
    );
  if (code.includes("\0")) throw invalid("exec.code: contains a NUL character, which no program needs. Remove it.");
}

function invalid(message: string): CodeModeError {
  return new CodeModeError("invalid_input", message);
}
