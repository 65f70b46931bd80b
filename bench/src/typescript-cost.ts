import type { Benchmark } from "./harness/bench-context.ts";
import { formatMs, limitRow } from "./harness/bench-rows.ts";
import { collectGarbage } from "./harness/collect-garbage.ts";
import { completedValue } from "./harness/completed-value.ts";
import { assertValue } from "./harness/engine.ts";
import { addTool } from "./harness/fixture-tools.ts";
import { measureInOwnProcess } from "./harness/measure-in-own-process.ts";
import { createOurCodeMode } from "./harness/our-code-mode.ts";
import { createSeededRandom } from "./harness/seeded-random.ts";
import { median } from "./harness/statistics.ts";

const title = { id: "B10", what: "2 KB TypeScript cell minus the same JavaScript cell, warm, p50", must: "≤ 1.5 ms" };

type Request = { readonly rounds: number; readonly iterations: number; readonly seed: number };
type Measured = { readonly typescript: number[]; readonly javascript: number[]; readonly sourceBytes: number };

/** B10: what type annotations cost. */
export const typescriptCost: Benchmark = {
  titles: [title],
  async measure({ rounds, seed, scaled }) {
    const request: Request = { rounds, iterations: scaled(40), seed };
    const { typescript, javascript, sourceBytes } = await measureInOwnProcess<Measured>(import.meta.url, request);
    const extraMs = median(typescript.map((ms, round) => ms - (javascript[round] as number)));
    const text = `${formatMs(extraMs)} (${formatMs(median(typescript))} – ${formatMs(median(javascript))})`;
    return [limitRow(title, { text, fits: extraMs <= 1.5 }, { typescript, javascript, extraMs, sourceBytes })];
  },
};

/** Measures in the calling process: TypeScript and JavaScript cells in turn, each with numbers of its own. */
export async function measureInProcess({ rounds, iterations, seed }: Request): Promise<Measured> {
  const ours = createOurCodeMode({ tools: [addTool] });
  const random = createSeededRandom(seed);
  const cell = async (language: "typescript" | "javascript"): Promise<number> => {
    const offset = random.integer(1_000_000);
    const code = writeProgram(offset, language === "typescript");
    const from = performance.now();
    const value = completedValue(await ours.codeMode.exec({ code, language }));
    const ms = performance.now() - from;
    assertValue(value, expectedValue(offset));
    return ms;
  };
  const measured = { typescript: [] as number[], javascript: [] as number[] };
  for (let index = 0; index < Math.max(4, iterations); index++) for (const language of languages) await cell(language);
  for (let round = 1; round <= rounds; round++) {
    collectGarbage();
    const times = { typescript: [] as number[], javascript: [] as number[] };
    for (let index = 0; index < iterations; index++)
      for (const language of languages) times[language].push(await cell(language));
    for (const language of languages) measured[language].push(median(times[language]));
  }
  ours.assertCounts();
  await ours.codeMode[Symbol.asyncDispose]();
  return { ...measured, sourceBytes: writeProgram(1, true).length };
}

const languages = ["typescript", "javascript"] as const;
const steps = 7;

/** About 2 KB of a program as models write them; without types it is the same program. */
function writeProgram(offset: number, typed: boolean): string {
  const type = (text: string): string => (typed ? text : "");
  const head = typed
    ? "interface Row { id: number; label: string; score: number }\ntype Totals = Record<string, number>;\n"
    : "";
  const body = Array.from({ length: steps }, (_, step) => {
    return `function collect${step}(start${type(": number")}, count${type(": number")})${type(": Row[]")} {
  const rows${type(": Row[]")} = [];
  for (let i = start; i < start + count; i++) {
    rows.push({ id: i, label: \`row \${i}\`, score: (i * ${step + 3}) % 11 }${type(" as Row")});
  }
  return rows.filter((row${type(": Row")}) => row.score > 2);
}
totals["group${step}"] = collect${step}(${step}, 9).length;
`;
  }).join("");
  return `${head}const totals${type(": Totals")} = {};
${body}const { sum } = ${typed ? "(await tools.add({ a: 1, b: 2 })) as { sum: number }" : "await tools.add({ a: 1, b: 2 })"};
return { offset: ${offset} + sum, groups: Object.keys(totals).length };`;
}

function expectedValue(offset: number): unknown {
  return { offset: offset + 3, groups: steps };
}
