import type { CodeModeResult, JsonValue } from "@code-mode/contract";

/** A nested call as the trace shows it. */
export type TracedCall = {
  readonly toolId: string;
  readonly parentToolCallId: string;
  readonly durationMs: number;
  readonly ok: boolean;
  readonly progress: number;
};

/** An exec or wait call as the trace shows it. */
export type TracedControl = {
  readonly toolCallId: string;
  readonly name: string;
  readonly input: JsonValue;
  readonly result: CodeModeResult;
  readonly durationMs: number;
};

/** A session's trajectory, put in order for reading. */
export type DemoTrace = { readonly controls: readonly TracedControl[]; readonly calls: readonly TracedCall[] };

type Line = { readonly type: string; readonly [key: string]: unknown };

/** Reads the JSONL trajectory of a session. */
export function parseTrace(jsonl: string): DemoTrace {
  const lines = jsonl
    .split("\n")
    .filter((text) => text !== "")
    .map((text) => JSON.parse(text) as Line);
  const ofType = (type: string): readonly Line[] => lines.filter((line) => line.type === type);
  const inputs = new Map(ofType("tool_call").map((line) => [line.toolCallId, line.input as JsonValue]));
  const progress = ofType("call_progress").filter(({ update }) => (update as Line).type === "progress");
  return {
    controls: ofType("tool_result").map((line) => ({
      toolCallId: String(line.toolCallId),
      name: String(line.name),
      input: inputs.get(line.toolCallId) ?? null,
      result: line.result as CodeModeResult,
      durationMs: Number(line.durationMs),
    })),
    calls: ofType("call_ended").map((line) => ({
      toolId: String(line.toolId),
      parentToolCallId: String(line.parentId),
      durationMs: Math.round(Number(line.durationMs)),
      ok: (line.outcome as { ok: boolean }).ok,
      progress: progress.filter(({ id }) => id === line.id).length,
    })),
  };
}
