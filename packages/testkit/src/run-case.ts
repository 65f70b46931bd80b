import { monitorEventLoopDelay } from "node:perf_hooks";
import type { CodeMode, CodeModeTool, JsonObject, SnapshotStore } from "@code-mode/contract";
import { needsOf } from "./case-needs.ts";
import { CaseRun } from "./case-run.ts";
import { stepsOf } from "./case-steps.ts";
import type { BugCase, CaseReport, Observation } from "./case-types.ts";
import { CorruptibleStore } from "./corruptible-store.ts";
import { createDeclaredTools } from "./declared-tools.ts";
import { createFixtureTools } from "./fixture-tools.ts";
import { isJsonObject } from "./json-guards.ts";
import { judge } from "./judge.ts";
import { resultFaults } from "./result-faults.ts";
import { ToolJournal } from "./tool-journal.ts";

/** What a case wants a `CodeMode` to be made of. */
export type CaseCodeModeOptions = {
  readonly tools: readonly CodeModeTool[];
  readonly config: JsonObject;
  /** Only for the case that damages its snapshots; else the product's own store is to be used. */
  readonly store?: SnapshotStore;
};

/** Makes the `CodeMode` under test; the runner disposes of it. */
export type CreateCaseCodeMode = (options: CaseCodeModeOptions) => CodeMode | Promise<CodeMode>;

/** Options of `runCase`. */
export type RunCaseOptions = {
  readonly create: CreateCaseCodeMode;
  /** Multiplies every time limit of the expectations. Default 1; use more on a loaded machine. */
  readonly timeScale?: number;
};

/** Plays one bug case and judges it. A case that needs more than a `CodeMode` is `planned`, never passed. */
export async function runCase(bugCase: BugCase, { create, timeScale = 1 }: RunCaseOptions): Promise<CaseReport> {
  const needs = needsOf(bugCase);
  if (needs.length > 0) return { outcome: "planned", problems: needs, unchecked: [] };
  try {
    const observations = await playCase(bugCase, create);
    const faults = observations.flatMap(({ results }) => results.flatMap(resultFaults));
    const report = judge(bugCase.expected, { whole: overall(observations), steps: observations, timeScale });
    return faults.length > 0 ? { ...report, outcome: "fail", problems: [...faults, ...report.problems] } : report;
  } catch (error) {
    const problem = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { outcome: "fail", problems: [problem], unchecked: [] };
  }
}

async function playCase(bugCase: BugCase, create: CreateCaseCodeMode): Promise<readonly Observation[]> {
  const { input, expected } = bugCase;
  const journal = new ToolJournal();
  const store = new CorruptibleStore();
  const steps = stepsOf(bugCase);
  const declared = createDeclaredTools(input, journal);
  await using codeMode = await create({
    tools: input.tools === undefined ? [...createFixtureTools(journal), ...declared] : declared,
    config: { ...(isJsonObject(input.config) ? input.config : {}), enabled: true },
    ...(JSON.stringify(steps).includes("stored snapshot") ? { store } : {}),
  });
  const run = new CaseRun({ codeMode, journal, store, input });
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  for (const step of steps) await run.play(step);
  if (expected.eventually !== undefined) await run.settle();
  delays.disable();
  return run.observations.map((seen) => ({ ...seen, lagMs: delays.max / 1e6 }));
}

/** The case seen as one: the last result stands for it. */
function overall(steps: readonly Observation[]): Observation {
  const last = steps.at(-1);
  return {
    result: steps.findLast(({ result }) => result !== undefined)?.result,
    results: steps.flatMap(({ results }) => results),
    elapsedMs: steps.flatMap(({ elapsedMs }) => elapsedMs),
    calls: steps.flatMap(({ calls }) => calls),
    ledger: last?.ledger ?? {},
    modelCalls: steps.reduce((sum, { modelCalls }) => sum + modelCalls, 0),
    lagMs: last?.lagMs ?? 0,
    facts: Object.assign({}, ...steps.map(({ facts }) => facts)) as Observation["facts"],
  };
}
