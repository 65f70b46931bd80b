import { readFile, writeFile } from "node:fs/promises";
import { type CodeModeResult, messageOf } from "@code-mode/contract";

/** Runs a program in the repl's scope. */
export type RunReplCell = (code: string) => Promise<CodeModeResult>;

/**
 * Writes a result as JSON into a new file: the last one, or one that a program kept with `results.save`.
 * @throws Error that says what to do
 */
export async function saveResult(
  file: string,
  { id, last, run }: { id: string | undefined; last: CodeModeResult | undefined; run: RunReplCell },
): Promise<void> {
  const result = id === undefined ? last : await run(`return await results.load(${JSON.stringify(id)});`);
  if (result === undefined) throw new Error("there is no result yet; run a program first.");
  if (result.status === "failed") throw new Error(`there is no value to save: ${result.error}`);
  if (result.status === "waiting") throw new Error("the program has not ended.");
  try {
    await writeFile(file, `${JSON.stringify(result.value, undefined, 2)}\n`, { flag: "wx" });
  } catch (error) {
    const taken = (error as NodeJS.ErrnoException).code === "EEXIST";
    throw new Error(taken ? `${file} is there already; give another name.` : messageOf(error), { cause: error });
  }
}

/**
 * Reads JSON from a file and keeps it for later programs; gives the id for `results.load`.
 * @throws Error that says what is wrong with the file
 */
export async function loadResult(file: string, run: RunReplCell): Promise<string> {
  const text = await readFile(file, "utf8");
  let json: string;
  try {
    json = JSON.stringify(JSON.parse(text));
  } catch (error) {
    throw new Error(`${file} is no JSON (${messageOf(error)}).`, { cause: error });
  }
  // parsed inside: an object literal would take a key named __proto__ for something else
  const result = await run(`return (await results.save(JSON.parse(${JSON.stringify(json)}))).id;`);
  if (result.status !== "completed") throw new Error(result.status === "failed" ? result.error : "it did not end.");
  return String(result.value);
}
