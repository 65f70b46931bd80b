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
type Measured = {
  readonly small: number[];
  readonly large: number[];
  readonly filter: number[];
  readonly firstCall: number[];
};

/** B9: a cell costs the same whatever the size of the catalog behind it. */
export const catalogSize: Benchmark = {
  titles: [callTitle, filterTitle],
  async measure({ rounds, seed, scaled }) {
    const request: Request = { rounds, iterations: scaled(50), seed };
    const { small, large, filter, firstCall } = await measureInOwnProcess<Measured>(import.meta.url, request);
    const ratio = median(pairRatios(large, small));
    const filterMs = median(filter);
    return [
      {
        ...callTitle,
        ours: `${formatMs(median(large))} (10 tools: ${formatMs(median(small))})`,
        run: noValue,
        ratio: formatRatio(ratio),
        verdict: verdictOf(ratio <= 1.5),
        note: `both call the same ten tools; the first call of a tool, which compiles its schema, takes ${formatMs(median(firstCall))} (3,600 tools)`,
        values: { large, small, ratio, firstCall },
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
  const measured: Measured = { small: [], large: [], filter: [], firstCall: [] };
  for (const sized of [small, large]) await sized.warmUp();
  await large.filterAll(2);
  for (let round = 1; round <= rounds; round++) {
    measured.small.push(median(await small.callOne(iterations, seed + round)));
    measured.large.push(median(await large.callOne(iterations, seed + round)));
    measured.filter.push(median(await large.filterAll(Math.max(1, Math.round(iterations / 5)))));
    measured.firstCall.push(median(await large.callNew(Math.max(1, Math.round(iterations / 5)))));
  }
  for (const { ours } of [small, large]) {
    ours.assertCounts();
    await ours.codeMode[Symbol.asyncDispose]();
  }
  return measured;
}

type Sized = {
  readonly ours: OurCodeMode;
  /** Calls each of the ten tools several times, so that schemas are compiled and both workers have the catalog. */
  warmUp(): Promise<void>;
  callOne(iterations: number, seed: number): Promise<number[]>;
  /** Calls tools that were not called before. */
  callNew(iterations: number): Promise<number[]>;
  filterAll(iterations: number): Promise<number[]>;
};

function createSized(count: number, seed: number): Sized {
  const tools = generateTools(count, seed);
  const names = tools.map(({ name }) => name);
  const lists = names.filter((name) => name.startsWith("list_")).length;
  const ours = createOurCodeMode({ tools });
  const run = async (code: string): Promise<unknown> => completedValue(await ours.codeMode.exec({ code }));
  const call = async (name: string, id: number): Promise<void> =>
    assertValue(await run(`return (await tools.${name}({ id: ${id} })).id`), id);
  let fresh = smallCount;
  return {
    ours,
    async warmUp() {
      for (let index = 0; index < smallCount * 3; index++) await call(names[index % smallCount] as string, index);
    },
    callOne(iterations, roundSeed) {
      collectGarbage();
      const random = createSeededRandom(roundSeed);
      return timeEach(iterations, () => call(names[random.integer(smallCount)] as string, random.integer(1_000_000)));
    },
    callNew: (iterations) => timeEach(iterations, (index) => call(names[fresh++ % count] as string, index)),
    filterAll(iterations) {
      collectGarbage();
      return timeEach(iterations, async () => {
        assertValue(await run('return ALL_TOOLS.filter(({ name }) => name.startsWith("list_")).length'), lists);
      });
    },
  };
}
