import type { CodeModeResult } from "@code-mode/contract";
import { colorsFor, printData, printNote, showText } from "./terminal.ts";

/** Prints a result for a person: output and value on stdout, everything about it on stderr. */
export async function printResult(result: CodeModeResult): Promise<void> {
  for (const item of result.output ?? [])
    await printData(item.type === "text" ? showText(item.text) : pretty(item.value));
  if (result.hint !== undefined) printNote(`hint: ${result.hint}`);
  if (result.status === "completed") {
    await printData(pretty(result.value));
    return;
  }
  if (result.status === "waiting") {
    const pending = (result.pendingToolCalls ?? []).map(({ id, status }) => `${id} (${status})`);
    printNote(`waiting (${result.reason})${pending.length > 0 ? `: ${pending.join(", ")}` : ""}`);
    return;
  }
  const colors = colorsFor(process.stderr);
  printNote(colors.red(`failed (${result.code ?? "unknown"}): ${showText(result.error)}`));
  if (result.position !== undefined) printNote(showText(result.position.frame));
}

function pretty(value: unknown): string {
  return typeof value === "string" ? showText(value) : JSON.stringify(value, undefined, 2);
}
