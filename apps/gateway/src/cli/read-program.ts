import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { messageOf } from "@code-mode/contract";
import { UsageError } from "./usage-error.ts";

/** Source text and the language its file name tells. */
export type ProgramText = { readonly code: string; readonly language: string | undefined };

/**
 * Reads the program of `codemode exec`: an option, a file or stdin.
 * @throws UsageError when it is given twice, not at all, or cannot be read
 */
export async function readProgram(file: string | undefined, code: string | undefined): Promise<ProgramText> {
  if (code !== undefined && file !== undefined)
    throw new UsageError("give the program once: with -e or as a file, not both.");
  if (code !== undefined) return { code, language: undefined };
  if (file === undefined) throw new UsageError("no program. Give a file, - for stdin, or -e 'return 1'.");
  if (file === "-") return { code: await text(process.stdin), language: undefined };
  try {
    const language = /\.[cm]?ts$/.test(file) ? "typescript" : undefined;
    return { code: await readFile(file, "utf8"), language };
  } catch (error) {
    throw new UsageError(`${file} cannot be read (${messageOf(error)}).`);
  }
}
