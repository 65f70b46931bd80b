import { setTimeout as pause } from "node:timers/promises";
import type { CodeModeTool } from "@code-mode/contract";
import type { Benchmark } from "./harness/bench-context.ts";
import { formatMebibytes, formatMs, limitRow } from "./harness/bench-rows.ts";
import { collectGarbage } from "./harness/collect-garbage.ts";
import { completedValue } from "./harness/completed-value.ts";
import { assertValue } from "./harness/engine.ts";
import { measureInOwnProcess } from "./harness/measure-in-own-process.ts";
import { createOurCodeMode } from "./harness/our-code-mode.ts";

const title = { id: "B16", what: "1,000 cells at once, each awaiting one 1 s tool", must: "≤ 3 s, RSS ≤ +128 MiB" };

const toolMs = 1000;
const maxMs = 3000;
const maxGrowthBytes = 128 * 1024 * 1024;
const sampleEveryMs = 20;

type Request = { readonly cells: number };
type Measured = { readonly ms: number; readonly growthBytes: number; readonly cells: number };

/** B16: cells that wait hold no worker and hardly any memory. */
export const waitingCells: Benchmark = {
  titles: [title],
  async measure({ scaled }) {
    const request: Request = { cells: scaled(1000) };
    const { ms, growthBytes, cells } = await measureInOwnProcess<Measured>(import.meta.url, request);
    const text = `${formatMs(ms)}, peak RSS +${formatMebibytes(growthBytes)} (${cells} cells)`;
    return [limitRow(title, { text, fits: ms <= maxMs && growthBytes <= maxGrowthBytes }, { ms, growthBytes, cells })];
  },
};

const slowTool: CodeModeTool = {
  name: "slow",
  description: "Answers after one second.",
  parameters: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
  execute: async (input, { signal }) => {
    await pause(toolMs, undefined, { signal });
    return { id: (input as { id: number }).id };
  },
};

/** Wall time until the last cell is done, and the highest RSS over the one before, in the calling process. */
export async function measureInProcess({ cells }: Request): Promise<Measured> {
  const ours = createOurCodeMode({ tools: [slowTool] });
  const cell = async (id: number): Promise<void> => {
    assertValue(completedValue(await ours.codeMode.exec({ code: `return (await tools.slow({ id: ${id} })).id` })), id);
  };
  await Promise.all([1, 2, 3, 4].map(cell));
  collectGarbage();
  const before = process.memoryUsage.rss();
  let peak = before;
  const look = (): void => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  const sampler = setInterval(look, sampleEveryMs);
  const from = performance.now();
  await Promise.all(Array.from({ length: cells }, (_, id) => cell(id)));
  const ms = performance.now() - from;
  clearInterval(sampler);
  look();
  ours.assertCounts();
  await ours.codeMode[Symbol.asyncDispose]();
  return { ms, growthBytes: peak - before, cells };
}
