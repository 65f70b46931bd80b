import type { Check, CheckStatus } from "../doctor/check.ts";
import { runChecks } from "../doctor/run-checks.ts";
import { exitCodes } from "../exit-codes.ts";
import { colorsFor, printData, reserveStdout, showLine } from "../terminal.ts";
import type { DoctorOptions } from "./add-doctor.ts";

/** Checks everything that a gateway needs and says what to do about what does not work (CLI-7). */
export async function doctorCommand(options: DoctorOptions, signal: AbortSignal): Promise<number> {
  reserveStdout();
  const checks: Check[] = [];
  for await (const check of runChecks({ file: options.config, mcpConfigFile: options.mcpConfig }, signal)) {
    checks.push(check);
    if (!options.json) await printData(lineOf(check));
  }
  const healthy = checks.every(({ status }) => status !== "fail");
  if (options.json) await printData(JSON.stringify({ ok: healthy, checks }));
  return healthy ? exitCodes.success : exitCodes.workFailed;
}

function lineOf({ name, status, message, fix }: Check): string {
  const colors = colorsFor(process.stdout);
  const words: Readonly<Record<CheckStatus, string>> = {
    ok: colors.green("ok  "),
    warn: colors.yellow("warn"),
    fail: colors.red("fail"),
  };
  return `${words[status]}  ${colors.bold(showLine(name).padEnd(14))}  ${showLine(message)}${fix === undefined ? "" : ` – ${showLine(fix)}`}`;
}
