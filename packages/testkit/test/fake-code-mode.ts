import type {
  CallOptions,
  CodeMode,
  CodeModeResult,
  CodeModeTelemetry,
  JsonValue,
  RunScope,
} from "@code-mode/contract";

/** What a fake answers, by the kind of call and its input. */
export type FakeAnswer = (
  kind: "exec" | "wait",
  input: Record<string, unknown>,
  scope: RunScope,
) => CodeModeResult | Promise<CodeModeResult>;

/** A `CodeMode` whose every answer the test writes; it remembers the calls it got. */
export class FakeCodeMode implements CodeMode {
  readonly calls: { kind: "exec" | "wait"; input: Record<string, unknown>; sessionId: string; agentRunId: string }[] =
    [];
  readonly endedRuns: string[] = [];
  isDisposed = false;
  readonly #answer: FakeAnswer;

  constructor(answer: FakeAnswer) {
    this.#answer = answer;
  }

  exec(input: unknown, options: CallOptions = {}): Promise<CodeModeResult> {
    return this.#take("exec", input, options);
  }

  wait(input: unknown, options: CallOptions = {}): Promise<CodeModeResult> {
    return this.#take("wait", input, options);
  }

  async endRun({ agentRunId }: RunScope): Promise<void> {
    this.endedRuns.push(agentRunId);
  }

  async endSession(sessionId: string): Promise<void> {
    this.endedRuns.push(`all of ${sessionId}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isDisposed = true;
  }

  async #take(kind: "exec" | "wait", input: unknown, { scope }: CallOptions): Promise<CodeModeResult> {
    if (scope === undefined) throw new Error("the runner gave no scope");
    const { sessionId, agentRunId } = scope;
    this.calls.push({ kind, input: input as Record<string, unknown>, sessionId, agentRunId });
    return this.#answer(kind, input as Record<string, unknown>, scope);
  }
}

const telemetry: CodeModeTelemetry = {
  catalogSize: 0,
  sources: { openclaw: 0, mcp: 0, client: 0 },
  searchCount: 0,
  describeCount: 0,
  callCount: 0,
  visibleTools: ["exec", "wait"],
};

/** A completed result. */
export function completed(value: JsonValue, more: Partial<CodeModeResult> = {}): CodeModeResult {
  return { status: "completed", value, telemetry, ...more } as CodeModeResult;
}

/** A waiting result. */
export function waiting(runId: string, more: Partial<CodeModeResult> = {}): CodeModeResult {
  return { status: "waiting", runId, reason: "yield", telemetry, ...more } as CodeModeResult;
}

/** A failed result. */
export function failed(code: string, error: string, more: Partial<CodeModeResult> = {}): CodeModeResult {
  return { status: "failed", code, error, telemetry, ...more } as CodeModeResult;
}
