import { checkDemo } from "../../demo/check-demo.ts";
import { printDemo } from "../../demo/print-demo.ts";
import { runDemo } from "../../demo/run-demo.ts";
import { type CommonOptions, configOf } from "../common-options.ts";
import { exitCodes } from "../exit-codes.ts";
import { printData, printNote } from "../terminal.ts";

/** Runs the demo turn and judges it (CLI-1). */
export async function demoCommand(
  options: CommonOptions & { readonly json?: boolean },
  signal: AbortSignal,
): Promise<number> {
  if (options.config !== undefined || options.mcpConfig !== undefined) {
    configOf(options);
    printNote("note: the configuration can be used; the demo runs on its own.");
  }
  const report = await runDemo(signal);
  const faults = checkDemo(report);
  if (options.json) await printData(JSON.stringify({ ...report, faults }));
  else await printDemo(report);
  for (const fault of faults) printNote(`not as planned: ${fault}`);
  return faults.length === 0 ? exitCodes.success : exitCodes.workFailed;
}
