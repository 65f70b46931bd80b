import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { CodeModeError, type JsonValue, resolveCodeModeConfig } from "@code-mode/contract";
import type { CaseRun } from "./case-run.ts";
import { scopeOf } from "./case-scope.ts";
import type { Facts, HarnessAction } from "./harness-action.ts";
import { asList } from "./json-guards.ts";
import { portActions } from "./port-actions.ts";

/** A queued cell computes this long: twenty of them take longer than the resumed cell may wait. */
const queuedCellMs = 150;

const actions: readonly HarnessAction[] = [
  {
    prose: /^sleep ([\d.]+) s$/,
    async play(_, match) {
      await delay(Number(match[1]) * 1000);
      return {};
    },
  },
  {
    prose: /^end turn; new user message$/,
    async play(run) {
      await run.endTurn();
      return {};
    },
  },
  {
    prose: /^exec the same program twice: `([^`]+)` and resume both$/,
    async play(run, match) {
      const code = match[1] ?? "";
      const parked = [await run.exec({ code }), await run.exec({ code })];
      const values: JsonValue[] = [];
      for (const result of parked) values.push(await resumedValue(run, result));
      return { values };
    },
  },
  { prose: /^collect (\d+) runIds$/, play: (run, match) => collectRunIds(run, Number(match[1])) },
  {
    prose: /^(\d+) x exec of a (\d+) ms busy loop in parallel$/,
    async play(run, match) {
      const code = busyLoop(Number(match[2]));
      await Promise.all(Array.from({ length: Number(match[1]) }, () => run.exec({ code })));
      return {};
    },
  },
  {
    prose: /^cell A yields; (\d+) new execs queue; wait\(A\)$/,
    play: (run, match) => resumeBehindQueue(run, Number(match[1])),
  },
  {
    prose: /^flip one byte in the stored snapshot \/ truncate it$/,
    async play(run) {
      run.parts.store.corrupt();
      return {};
    },
  },
  ...portActions,
  {
    prose: /^resolve configs$/,
    async play(run) {
      return { effective: asList(run.parts.input.configs).map(effectiveConfig) };
    },
  },
];

/** True if the prose of a `harness` step is an action that runs against the bare runtime. */
export function isHarnessAction(prose: string): boolean {
  return actions.some((action) => action.prose.test(prose));
}

/** Plays the action that the prose names; what it measured is returned by the name of the matcher that reads it. */
export async function runHarnessAction(prose: string, run: CaseRun): Promise<Facts> {
  for (const action of actions) {
    const match = action.prose.exec(prose);
    if (match !== null) return action.play(run, match);
  }
  throw new Error(`no action for "${prose}"`);
}

async function resumedValue(run: CaseRun, parked: Awaited<ReturnType<CaseRun["exec"]>>): Promise<JsonValue> {
  const ended = parked.status === "waiting" ? await run.wait(parked.runId) : parked;
  return ended.status === "completed" ? ended.value : null;
}

/** Every cell is an agent run of its own that ends at once, so that the cap on suspended cells plays no part. */
async function collectRunIds(run: CaseRun, count: number): Promise<Facts> {
  const runIds: string[] = [];
  for (let turn = 0; turn < count; turn++) {
    const scope = scopeOf("ids", turn);
    const result = await run.parts.codeMode.exec({ code: "await yield_control();" }, { scope });
    if (result.status === "waiting") runIds.push(result.runId);
    await run.parts.codeMode.endRun(scope);
  }
  return { runIds };
}

async function resumeBehindQueue(run: CaseRun, count: number): Promise<Facts> {
  const parked = await run.exec({ code: 'await yield_control(); return "A";' });
  const queued = Array.from({ length: count }, () => run.exec({ code: busyLoop(queuedCellMs) }));
  const startedAt = performance.now();
  if (parked.status === "waiting") await run.wait(parked.runId);
  const waitAElapsedMs = performance.now() - startedAt;
  await Promise.all(queued);
  return { waitAElapsedMs };
}

function busyLoop(ms: number): string {
  return `const end = Date.now() + ${ms}; while (Date.now() < end) {} return "done";`;
}

function effectiveConfig(config: JsonValue): JsonValue {
  try {
    return { ...resolveCodeModeConfig(config) } as unknown as JsonValue;
  } catch (error) {
    if (CodeModeError.is(error)) return `config error: ${error.message}`;
    throw error;
  }
}
