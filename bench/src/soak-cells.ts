import { setTimeout as pause } from "node:timers/promises";
import type { CodeModeResult } from "@code-mode/contract";
import { collectGarbage } from "./harness/collect-garbage.ts";
import { completedValue, describeResult } from "./harness/completed-value.ts";
import { assertValue } from "./harness/engine.ts";
import { addTool } from "./harness/fixture-tools.ts";
import { createOurCodeMode, type OurCodeMode } from "./harness/our-code-mode.ts";
import { createSeededRandom, type SeededRandom } from "./harness/seeded-random.ts";

/** Options of `soak`; `onProgress` hears about every hundredth part of the way. */
export type SoakRequest = {
  readonly cells: number;
  readonly seed: number;
  onProgress?(done: number, rssBytes: number): void;
};

/** What a soak found. */
export type SoakMeasured = {
  readonly cells: number;
  readonly seconds: number;
  readonly growthBytes: number;
  readonly startBytes: number;
  readonly endBytes: number;
};

/** Cells at once: more than there are workers, so that queueing and parking happen too. */
const lanes = 4;

/** One loop of 100 cells has each kind as often as its number says. */
const mix = { trivial: 80, tool: 10, suspended: 5, error: 3, timeout: 1, outOfMemory: 1 };
type CellKind = keyof typeof mix;

/** Long enough for the 64 MiB that an out-of-memory cell fills first, short enough for many timeouts. */
const timeoutMs = 1500;
const settleMs = 500;

/** Runs mixed cells in this process and measures RSS after a warm-up of at least two full mixes and at the end. */
export async function soak(request: SoakRequest): Promise<SoakMeasured> {
  const ours = createOurCodeMode({ tools: [addTool], config: { timeoutMs } });
  const kinds = shuffledKinds(request.seed);
  const random = createSeededRandom(request.seed);
  const from = performance.now();
  const warmup = Math.min(request.cells, 2 * kinds.length);
  await runCells({ ours, random, kinds, cells: warmup });
  const startBytes = await settledRss();
  await runCells({ ours, random, kinds, cells: request.cells, ...pickProgress(request) });
  const endBytes = await settledRss();
  ours.assertCounts();
  const seconds = (performance.now() - from) / 1000;
  await ours.codeMode[Symbol.asyncDispose]();
  return { cells: request.cells, seconds, growthBytes: Math.max(0, endBytes - startBytes), startBytes, endBytes };
}

function pickProgress({ onProgress }: SoakRequest): Pick<SoakRequest, "onProgress"> {
  return onProgress === undefined ? {} : { onProgress };
}

type Work = {
  readonly ours: OurCodeMode;
  readonly random: SeededRandom;
  readonly kinds: readonly CellKind[];
  readonly cells: number;
  readonly onProgress?: SoakRequest["onProgress"];
};

async function runCells({ ours, random, kinds, cells, onProgress }: Work): Promise<void> {
  const reportEvery = Math.max(1, Math.floor(cells / 100));
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < cells) {
      const index = next++;
      await runCell(ours, kinds[index % kinds.length] as CellKind, random.integer(1_000_000));
      if (index % reportEvery === 0) onProgress?.(index, process.memoryUsage.rss());
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

async function runCell({ codeMode }: OurCodeMode, kind: CellKind, n: number): Promise<void> {
  const exec = (code: string): Promise<CodeModeResult> => codeMode.exec({ code });
  switch (kind) {
    case "trivial":
      return assertValue(completedValue(await exec(`return ${n}`)), n);
    case "tool":
      return assertValue(completedValue(await exec(`return (await tools.add({ a: ${n}, b: 1 })).sum`)), n + 1);
    case "suspended": {
      const first = await exec(`const kept = ${n}; await yield_control("pause"); return kept`);
      if (first.status !== "waiting") throw new Error(`expected a waiting cell, got ${describeResult(first)}`);
      return assertValue(completedValue(await codeMode.wait({ runId: first.runId })), n);
    }
    case "error":
      return assertFailed(await exec(`throw new Error("number ${n}")`), "guest_error");
    case "timeout":
      return assertFailed(await exec("for (;;) {}"), "timeout");
    default:
      return assertFailed(
        await exec("const all = []; for (;;) all.push(new Uint8Array(1 << 20).fill(1))"),
        "memory_limit_exceeded",
      );
  }
}

function assertFailed(result: CodeModeResult, code: string): void {
  if (result.status !== "failed" || result.code !== code)
    throw new Error(`expected ${code}, got ${describeResult(result)}`);
}

/** RSS once garbage is collected here and threads that were ended are gone. */
async function settledRss(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    collectGarbage();
    await pause(settleMs);
  }
  return process.memoryUsage.rss();
}

function shuffledKinds(seed: number): CellKind[] {
  const random = createSeededRandom(seed);
  const kinds = (Object.keys(mix) as CellKind[]).flatMap((kind) => Array.from({ length: mix[kind] }, () => kind));
  for (let last = kinds.length - 1; last > 0; last--) {
    const other = random.integer(last + 1);
    [kinds[last], kinds[other]] = [kinds[other] as CellKind, kinds[last] as CellKind];
  }
  return kinds;
}
