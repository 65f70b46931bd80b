import { monitorEventLoopDelay } from "node:perf_hooks";
import type {
  ApprovalPort,
  CallRecorder,
  CodeMode,
  CodeModeTool,
  HookPort,
  JsonObject,
  SnapshotStore,
} from "@code-mode/contract";
import { CallLog } from "./call-log.ts";
import { hookScriptsOf } from "./case-hooks.ts";
import { needsOf } from "./case-needs.ts";
import { CaseRun } from "./case-run.ts";
import { stepsOf } from "./case-steps.ts";
import type { BugCase, CaseReport, Observation } from "./case-types.ts";
import { closingFacts } from "./closing-facts.ts";
import { CorruptibleStore } from "./corruptible-store.ts";
import { createDeclaredTools } from "./declared-tools.ts";
import { createFixtureTools } from "./fixture-tools.ts";
import { isJsonObject } from "./json-guards.ts";
import { judge } from "./judge.ts";
import type { CaseMcp, ConnectCaseMcp } from "./mcp-cases/case-mcp.ts";
import { CaseServers } from "./mcp-cases/case-servers.ts";
import { serverSpecsOf } from "./mcp-cases/server-spec.ts";
import { resultFaults } from "./result-faults.ts";
import { ScriptedApprovals } from "./scripted-approvals.ts";
import { ScriptedHooks } from "./scripted-hooks.ts";
import { ToolJournal } from "./tool-journal.ts";

/** What a case wants a `CodeMode` to be made of. */
export type CaseCodeModeOptions = {
  readonly tools: readonly CodeModeTool[];
  readonly config: JsonObject;
  readonly approvals?: ApprovalPort;
  readonly recorder?: CallRecorder;
  /** Only for a case that has hooks. */
  readonly hooks?: HookPort;
  /** Only for the case that damages its snapshots; else the product's own store is to be used. */
  readonly store?: SnapshotStore;
  /** Connected servers, whose tools come and go beside `tools`. */
  readonly mcp?: CaseMcp;
};

/** Makes the `CodeMode` under test; the runner disposes of it. */
export type CreateCaseCodeMode = (options: CaseCodeModeOptions) => CodeMode | Promise<CodeMode>;

/** Options of `runCase`. */
export type RunCaseOptions = {
  readonly create: CreateCaseCodeMode;
  /** Connects MCP servers that run as processes. Without it tools of servers answer in process, and other servers are planned. */
  readonly connectMcp?: ConnectCaseMcp;
  /** Multiplies every time limit of the expectations. Default 1; use more on a loaded machine. */
  readonly timeScale?: number;
};

/** Plays one bug case and judges it. A case that needs more than a `CodeMode` is `planned`, never passed. */
export async function runCase(bugCase: BugCase, options: RunCaseOptions): Promise<CaseReport> {
  const needs = needsOf(bugCase, { mcp: options.connectMcp !== undefined });
  if (needs.length > 0) return { outcome: "planned", problems: needs, unchecked: [] };
  try {
    const { observations, whole } = await playCase(bugCase, options);
    const faults = observations.flatMap(({ results }) => results.flatMap(resultFaults));
    const report = judge(bugCase.expected, { whole, steps: observations, timeScale: options.timeScale ?? 1 });
    return faults.length > 0 ? { ...report, outcome: "fail", problems: [...faults, ...report.problems] } : report;
  } catch (error) {
    const problem = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { outcome: "fail", problems: [problem], unchecked: [] };
  }
}

type Played = { readonly observations: readonly Observation[]; readonly whole: Observation };

async function playCase(bugCase: BugCase, { create, connectMcp }: RunCaseOptions): Promise<Played> {
  const { input, expected } = bugCase;
  const [journal, log] = [new ToolJournal(), new CallLog()];
  const [store, approvals] = [new CorruptibleStore(), new ScriptedApprovals()];
  const hooks = input.hooks === undefined ? undefined : new ScriptedHooks(hookScriptsOf(input));
  const hasServers = connectMcp !== undefined && input.mcpServers !== undefined;
  await using servers = hasServers ? await CaseServers.open(serverSpecsOf(input)) : null;
  await using mcp = servers === null || connectMcp === undefined ? null : await connectMcp(servers);
  const steps = stepsOf(bugCase);
  await using codeMode = await create({
    tools: toolsOf(input, { journal, hasServers }),
    config: { ...(isJsonObject(input.config) ? input.config : {}), enabled: true },
    approvals,
    recorder: log,
    ...(hooks === undefined ? {} : { hooks }),
    ...(JSON.stringify(steps).includes("stored snapshot") ? { store } : {}),
    ...(mcp === null ? {} : { mcp }),
  });
  const run = new CaseRun({ codeMode, journal, store, input, approvals, mcp: mcp ?? undefined });
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  for (const step of steps) await run.play(step);
  if (expected.eventually !== undefined) await run.settle();
  delays.disable();
  const observations = run.observations.map((seen) => ({ ...seen, lagMs: delays.max / 1e6 }));
  const facts = closingFacts({ bugCase, observations, log, hooks, mcp: mcp ?? undefined });
  return { observations, whole: overall(observations, facts) };
}

/** Tools of a case replace the fixtures; servers that run as processes bring their own. */
function toolsOf(
  input: JsonObject,
  { journal, hasServers }: { journal: ToolJournal; hasServers: boolean },
): readonly CodeModeTool[] {
  const { mcpServers: _servers, ...native } = input;
  const declared = createDeclaredTools(hasServers ? native : input, journal);
  return input.tools === undefined ? [...createFixtureTools(journal), ...declared] : declared;
}

/** The case seen as one: the last result stands for it. */
function overall(steps: readonly Observation[], closing: Observation["facts"]): Observation {
  const last = steps.at(-1);
  return {
    result: steps.findLast(({ result }) => result !== undefined)?.result,
    results: steps.flatMap(({ results }) => results),
    elapsedMs: steps.flatMap(({ elapsedMs }) => elapsedMs),
    calls: steps.flatMap(({ calls }) => calls),
    ledger: last?.ledger ?? {},
    modelCalls: steps.reduce((sum, { modelCalls }) => sum + modelCalls, 0),
    lagMs: last?.lagMs ?? 0,
    facts: Object.assign({}, ...steps.map(({ facts }) => facts), closing) as Observation["facts"],
  };
}
