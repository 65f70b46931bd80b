import type { CodeModeResult } from "@code-mode/contract";

const shared = ["status", "output", "hint", "telemetry"];
const cut = ["truncated", "omittedBytes", "reference"];
const allowedKeys: Readonly<Record<CodeModeResult["status"], readonly string[]>> = {
  completed: [...shared, ...cut, "value"],
  waiting: [...shared, "runId", "reason", "yieldReason", "pendingToolCalls", "restartSafe"],
  failed: [...shared, ...cut, "error", "code", "position", "details"],
};

/** What is wrong with the shape of a result, whatever it says: unknown or missing keys, values that are not JSON (EXEC-8). */
export function resultFaults(result: CodeModeResult): readonly string[] {
  const allowed = allowedKeys[result.status] as readonly string[] | undefined;
  if (allowed === undefined) return [`a result has the status ${JSON.stringify(result.status)}`];
  const keys = Object.keys(result).filter((key) => result[key as keyof CodeModeResult] !== undefined);
  const faults = keys
    .filter((key) => !allowed.includes(key))
    .map((key) => `a ${result.status} result has the key ${key}`);
  if (result.telemetry === undefined) faults.push("a result has no telemetry");
  if (result.status === "completed" && result.value === undefined) faults.push("a completed result has no value");
  if (result.status === "failed" && typeof result.error !== "string") faults.push("a failed result has no error text");
  if (result.status === "waiting" && typeof result.runId !== "string") faults.push("a waiting result has no runId");
  return faults;
}
