import type {
  CallRecord,
  CodeModeTool,
  GuestError,
  JsonObject,
  JsonValue,
  NestedCall,
  NestedOutcome,
  NestedUpdate,
  RunScope,
} from "@code-mode/contract";
import { type CountingToolExecutor, createToolExecutor } from "../../src/tool-executor/create-tool-executor.ts";
import type { ToolExecutorOptions } from "../../src/tool-executor/tool-executor-options.ts";

/** The scope of every call of these tests. */
export const scope: RunScope = {
  agentId: "main",
  sessionId: "s1",
  sessionKey: "key-s1",
  agentRunId: "run-1",
  sender: "ada",
  channel: "web",
};

/** A tool that echoes its input; any field may be replaced. */
export function buildTool(fields: Partial<CodeModeTool> = {}): CodeModeTool {
  return { name: "echo", description: "Echoes.", execute: (input) => input, ...fields };
}

/** A call of the tool `t`; any field may be replaced. */
export function buildCall(fields: Partial<NestedCall> = {}): NestedCall {
  return {
    callId: "c1",
    cellId: "cell-1",
    parentToolCallId: "exec-1",
    toolId: "t",
    input: {},
    scope,
    restartSafe: false,
    ...fields,
  };
}

/** An executor over one tool with everything that it said. */
export type Bench = {
  readonly executor: CountingToolExecutor;
  readonly records: CallRecord[];
  readonly updates: NestedUpdate[];
  readonly logs: { message: string; facts: JsonObject }[];
  readonly abort: AbortController;
  run(fields?: Partial<NestedCall>): Promise<NestedOutcome>;
};

/** Builds a bench over one tool, known under the id `t`. */
export function buildBench(tool: CodeModeTool, options: Partial<ToolExecutorOptions> = {}): Bench {
  const records: CallRecord[] = [];
  const updates: NestedUpdate[] = [];
  const logs: Bench["logs"] = [];
  const abort = new AbortController();
  const executor = createToolExecutor({
    resolveTool: (toolId) => (toolId === "t" ? tool : undefined),
    recorder: { record: (record) => records.push(record) },
    log: (message, facts) => logs.push({ message, facts }),
    ...options,
  });
  const run = (fields: Partial<NestedCall> = {}) =>
    executor.execute(buildCall(fields), { signal: abort.signal, onUpdate: (update) => updates.push(update) });
  return { executor, records, updates, logs, abort, run };
}

/** The error of a failed outcome. */
export function errorIn(outcome: NestedOutcome): GuestError & { started: boolean } {
  if (outcome.ok) throw new Error(`expected a failure, got ${JSON.stringify(outcome.value)}`);
  return { ...outcome.error, started: outcome.started };
}

/** The value of a good outcome. */
export function valueIn(outcome: NestedOutcome): JsonValue {
  if (!outcome.ok) throw new Error(`expected a value, got ${outcome.error.message}`);
  return outcome.value;
}
