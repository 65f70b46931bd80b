import { monitorEventLoopDelay } from "node:perf_hooks";
import type { CodeModeResult } from "@code-mode/contract";
import type { Benchmark } from "./harness/bench-context.ts";
import { formatMs, limitRow } from "./harness/bench-rows.ts";
import { collectGarbage } from "./harness/collect-garbage.ts";
import { completedValue, describeResult } from "./harness/completed-value.ts";
import { assertValue } from "./harness/engine.ts";
import { addTool } from "./harness/fixture-tools.ts";
import { measureInOwnProcess } from "./harness/measure-in-own-process.ts";
import { createOurCodeMode } from "./harness/our-code-mode.ts";
import { median } from "./harness/statistics.ts";

const title = { id: "B11", what: "event-loop delay p99 while two cells hang", must: "≤ 50 ms" };

/** One loop that the engine's interrupt handler stops, and one native call that only the watchdog can end. */
const hangs = ["for (;;) {}", "Array.prototype.reverse.call({ length: 2 ** 53 - 1 })"];
const timeoutMs = 2000;
const resolutionMs = 10;

type Request = { readonly rounds: number };

/** B11: the host stays free while guests do not. */
export const hangingCells: Benchmark = {
  titles: [title],
  async measure({ rounds, scaled }) {
    const request: Request = { rounds: Math.min(rounds, scaled(5)) };
    const delays = await measureInOwnProcess<number[]>(import.meta.url, request);
    const p99 = median(delays);
    return [limitRow(title, { text: formatMs(p99), fits: p99 <= 50 }, { p99PerRound: delays })];
  },
};

/** p99 of each round, in the calling process: from the start of both cells until both have ended. */
export async function measureInProcess({ rounds }: Request): Promise<number[]> {
  const { codeMode } = createOurCodeMode({ tools: [addTool], config: { timeoutMs, maxConcurrentCells: 2 } });
  const delays: number[] = [];
  for (let round = 0; round < rounds; round++) {
    assertValue(completedValue(await codeMode.exec({ code: "return 1" })), 1);
    collectGarbage();
    const monitor = monitorEventLoopDelay({ resolution: resolutionMs });
    monitor.enable();
    const results = await Promise.all(hangs.map((code) => codeMode.exec({ code })));
    monitor.disable();
    for (const result of results) assertTimedOut(result);
    // The histogram holds the time between two samples, which is the resolution when nothing is late.
    delays.push(Math.max(0, monitor.percentile(99) / 1e6 - resolutionMs));
  }
  await codeMode[Symbol.asyncDispose]();
  return delays;
}

function assertTimedOut(result: CodeModeResult): void {
  if (result.status !== "failed" || result.code !== "timeout")
    throw new Error(`expected a timeout, got ${describeResult(result)}`);
}
