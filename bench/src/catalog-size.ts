import type { Benchmark } from "./harness/bench-context.ts";
import { formatMs, formatRatio, noValue, verdictOf } from "./harness/bench-rows.ts";
import { collectGarbage } from "./harness/collect-garbage.ts";
import { completedValue } from "./harness/completed-value.ts";
import { assertValue, timeEach } from "./harness/engine.ts";
import { generateTools } from "./harness/generated-tools.ts";
import { measureInOwnProcess } from "./harness/measure-in-own-process.ts";
import { createOurCodeMode, type OurCodeMode } from "./harness/our-code-mode.ts";
import { createSeededRandom } from "./harness/seeded-random.ts";
import { median, pairRatios } from "./harness/statistics.ts";

const callTitle = { id: "B9", what: "cell with one tools.<name> call, 3,600 native tools vs 10", must: "≤ 1.5 ×" };
const filterTitle = { id: "B9b", what: "ALL_TOOLS.filter over 3,600 tools, p50", must: "≤ 40 ms" };

const smallCount = 10;
const largeCount = 3600;

type Request = { readonly rounds: number; readonly iterations: number; readonly seed: number };
type Measured = { readonly small: number[]; readonly large: number[]; readonly filter: number[] };

/** B9: a cell costs the same whatever the size of the catalog behind it. */
export const catalogSize: Benchmark = {
  titles: [callTitle, filterTitle],
  async measure({ rounds, seed, scaled }) {
    const request: Request = { rounds, iterations: scaled(50), seed };
    const { small, large, filter } = await measureInOwnProcess<Measured>(import.meta.url, request);
    const ratio = median(pairRatios(large, small));
    const filterMs = median(filter);
    return [
      {
        ...callTitle,
        ours: `${formatMs(median(large))} (10 tools: ${formatMs(median(small))})`,
        run: noValue,
        ratio: formatRatio(ratio),
        verdict: verdictOf(ratio <= 1.5),
        values: { large, small, ratio },
      },
      {
        ...filterTitle,
        ours: formatMs(filterMs),
        run: noValue,
        ratio: noValue,
        verdict: verdictOf(filterMs <= 40),
        values: { filter },
      },
    ];
  },
};

/** Measures in the calling process: both catalogs in interleaved rounds. */
export async function measureInProcess({ rounds, iterations, seed }: Request): Promise<Measured> {
  const small = createSized(smallCount, seed);
  const large = createSized(largeCount, seed);
  const measured: Measured = { small: [], large: [], filter: [] };
  for (const sized of [small, large]) await sized.callOne(iterations, seed);
  await large.filterAll(2);
  for (let round = 1; round <= rounds; round++) {
    measured.small.push(median(await small.callOne(iterations, seed + round)));
    measured.large.push(median(await large.callOne(iterations, seed + round)));
    measured.filter.push(median(await large.filterAll(Math.max(1, Math.round(iterations / 5)))));
  }
  for (const { ours } of [small, large]) {
    ours.assertCounts();
    await ours.codeMode[Symbol.asyncDispose]();
  }
  return measured;
}

type Sized = {
  readonly ours: OurCodeMode;
  callOne(iterations: number, seed: number): Promise<number[]>;
  filterAll(iterations: number): Promise<number[]>;
};

function createSized(count: number, seed: number): Sized {
  const tools = generateTools(count, seed);
  const ours = createOurCodeMode({ tools });
  const run = async (code: string): Promise<unknown> => completedValue(await ours.codeMode.exec({ code }));
  const lists = tools.filter(({ name }) => name.startsWith("list_")).length;
  return {
    ours,
    callOne(iterations, roundSeed) {
      collectGarbage();
      const random = createSeededRandom(roundSeed);
      return timeEach(iterations, async () => {
        const id = random.integer(1_000_000);
        assertValue(await run(`return (await tools.${random.pick(tools).name}({ id: ${id} })).id`), id);
      });
    },
    filterAll(iterations) {
      collectGarbage();
      return timeEach(iterations, async () => {
        assertValue(await run('return ALL_TOOLS.filter(({ name }) => name.startsWith("list_")).length'), lists);
      });
    },
  };
}
