import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { CodeModeLanguage, PreparedSource } from "@code-mode/contract";
import { CodeModeError } from "@code-mode/contract";
import { QuickJS } from "quickjs-wasi";
import { createPrepareSource, firstUserFrame, sourcePosition } from "../src/index.ts";

const engine = await WebAssembly.compile(
  await readFile(createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm")),
);
const prepare = createPrepareSource();
const head = "globalThis.cell = ({async f(){";

/** What a program did: its value, or its error with the place in the submitted source. */
export type Outcome = { value?: unknown; error?: string; line?: number; column?: number };

/** Prepares a text; TypeScript is enabled. */
export function prepared(code: string, language: CodeModeLanguage = "javascript"): PreparedSource {
  return prepare({ code, language, typescriptEnabled: true });
}

/** Why a text is refused; fails if it is not. */
export function refused(
  code: string,
  language: CodeModeLanguage = "javascript",
  typescriptEnabled = true,
): { message: string; line: unknown; column: unknown } {
  try {
    prepare({ code, language, typescriptEnabled });
  } catch (error) {
    if (!CodeModeError.is(error) || error.code !== "invalid_input") throw error;
    return { message: error.message, line: error.details?.line, column: error.details?.column };
  }
  throw new Error(`the text was accepted: ${code.slice(0, 200)}`);
}

/** Prepares a text and runs it in the real engine, as the supervisor does. */
export async function run(code: string, language: CodeModeLanguage = "javascript"): Promise<Outcome> {
  const { body, positions } = prepared(code, language);
  const vm = await QuickJS.create(engine);
  try {
    vm.evalCode(`${head}${body}\n}}).f;`, "cell.js");
    vm.evalCode(
      "globalThis.outcome = {}; cell().then((value) => { outcome.value = value; }, (e) => { outcome.error = e.name + ': ' + e.message; outcome.stack = e.stack; });",
      "start.js",
    );
    vm.executePendingJobs();
    const found = vm.dump(vm.evalCode("JSON.stringify(outcome)")) as string;
    const { value, error, stack } = JSON.parse(found) as { value?: unknown; error?: string; stack?: string };
    if (error === undefined) return { value };
    const frame = firstUserFrame(stack ?? "", "cell.js");
    if (frame === undefined) return { error };
    const column = frame.line === 1 ? frame.column - head.length : frame.column;
    const at = sourcePosition(code, positions, frame.line, column);
    return { error, line: at.line, column: at.column };
  } finally {
    vm.dispose();
  }
}

/** The value of a program in the real engine. */
export async function valueIn(code: string, language: CodeModeLanguage = "javascript"): Promise<unknown> {
  const { value, error } = await run(code, language);
  if (error !== undefined) throw new Error(error);
  return value;
}
