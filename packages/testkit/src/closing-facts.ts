import type { JsonObject, JsonValue } from "@code-mode/contract";
import type { CallLog } from "./call-log.ts";
import type { BugCase, Observation } from "./case-types.ts";
import type { CaseMcp } from "./mcp-cases/case-mcp.ts";
import type { ScriptedHooks, SeenHookEvent } from "./scripted-hooks.ts";

/** Everything that is known once a case was played. */
export type ClosingFactsInput = {
  readonly bugCase: BugCase;
  readonly observations: readonly Observation[];
  readonly log: CallLog;
  readonly hooks?: ScriptedHooks | undefined;
  readonly mcp?: CaseMcp | undefined;
};

/** What ports and servers saw of the whole case, under the names that matchers read. */
export function closingFacts(input: ClosingFactsInput): Readonly<Record<string, JsonValue>> {
  const { bugCase, log, hooks, mcp } = input;
  const records = log.records.map((record) => ({
    tool: record.toolName,
    input: record.call.input,
    executedInput: record.executedInput,
    ok: record.outcome.ok,
  }));
  return {
    ...(Array.isArray(bugCase.expected.valuesDiffer)
      ? { values: valuesOf(input.observations, bugCase.expected.valuesDiffer) }
      : {}),
    records,
    ...(hooks === undefined ? {} : { hookEvents: hooks.seen.map(hookFacts) }),
    ...(mcp === undefined ? {} : serverFacts(mcp)),
  };
}

/** The values of the steps that the expectation names by number. */
function valuesOf(observations: readonly Observation[], steps: readonly JsonValue[]): readonly JsonValue[] {
  return steps.map((step) => {
    const result = observations[Number(step)]?.result;
    return result?.status === "completed" ? result.value : null;
  });
}

function hookFacts({ event, scope }: SeenHookEvent): JsonObject {
  const { toolName, input, toolKind, toolInputKind, parentToolCallId } = event;
  return {
    tool: toolName,
    args: input,
    agentId: scope.agentId,
    sessionId: scope.sessionId,
    runId: scope.agentRunId,
    ...(toolKind === undefined ? {} : { toolKind }),
    ...(toolInputKind === undefined ? {} : { toolInputKind }),
    ...(parentToolCallId === undefined ? {} : { parentToolCallId }),
  };
}

function serverFacts(mcp: CaseMcp): Readonly<Record<string, JsonValue>> {
  const journals = Object.values(mcp.journals);
  return {
    diagnostics: [...mcp.diagnostics()],
    spawns: journals.reduce((sum, { spawns }) => sum + spawns, 0),
    heard: journals.flatMap(({ heard }) =>
      heard.map(({ at, method, id, params }) => ({ at, method, id: id ?? null, params })),
    ),
  };
}
