import { type CodeModeResult, messageOf } from "@code-mode/contract";
import { createCodeMode } from "@code-mode/runtime";
import type { GatewayConfig } from "../../config/load-config.ts";
import { type Check, fail, ok } from "./check.ts";

/** Suspends and goes on, so that snapshots are tried too. */
const program = 'await yield_control("doctor"); return 6 * 7;';

const fix = "Install codemode again; if that does not help, report it with the output of codemode doctor --json.";

/** Whether QuickJS-WASI works here: really runs a program, through a snapshot and back. */
export async function checkEngine({ codeMode: config }: GatewayConfig, signal: AbortSignal): Promise<Check> {
  try {
    await using codeMode = createCodeMode({ tools: { tools: [] }, config: { ...config, enabled: true } });
    const startedAt = performance.now();
    const suspended = await codeMode.exec({ code: program }, { signal });
    if (suspended.status !== "waiting") return unexpected(suspended);
    const result = await codeMode.wait({ runId: suspended.runId }, { signal });
    if (result.status !== "completed" || result.value !== 42) return unexpected(result);
    return ok(
      "quickjs-wasi",
      `a program ran, was suspended and went on (${Math.round(performance.now() - startedAt)} ms)`,
    );
  } catch (error) {
    return fail("quickjs-wasi", `no program can run (${messageOf(error)})`, fix);
  }
}

function unexpected(result: CodeModeResult): Check {
  const what = result.status === "failed" ? `${result.code}: ${result.error}` : `it ended as ${result.status}`;
  return fail("quickjs-wasi", `the test program did not do what it should (${what})`, fix);
}
