import type { CodeModeResult, CodeModeTool, JsonValue, RunScope } from "@code-mode/contract";
import { type CodeModeOptions, type CodeModeRuntime, createCodeMode } from "../src/index.ts";

/** A tool whose calls are recorded and which is settled by the test, never by time. */
export class ManualTool {
  readonly inputs: JsonValue[] = [];
  readonly signals: AbortSignal[] = [];
  readonly #settlers: PromiseWithResolvers<unknown>[] = [];
  readonly #arrivals: (() => void)[] = [];
  readonly tool: CodeModeTool;

  constructor(name: string, extra: Partial<CodeModeTool> = {}) {
    this.tool = {
      name,
      description: `settled by the test: ${name}`,
      ...extra,
      execute: (input, context) => {
        this.inputs.push(input);
        this.signals.push(context.signal);
        const settler = Promise.withResolvers<unknown>();
        this.#settlers.push(settler);
        for (const arrive of this.#arrivals.splice(0)) arrive();
        return settler.promise;
      },
    };
  }

  get started(): number {
    return this.inputs.length;
  }

  /** Resolves when `count` calls have started. */
  async arrived(count: number): Promise<void> {
    while (this.started < count) await new Promise<void>((resolve) => this.#arrivals.push(resolve));
  }

  resolve(index: number, value: unknown): void {
    this.#settlers[index]?.resolve(value);
  }

  reject(index: number, error: unknown): void {
    this.#settlers[index]?.reject(error);
  }
}

/** Tools whose behaviour needs no test to settle them. */
export function basicTools(): CodeModeTool[] {
  return [
    { name: "echo", description: "returns its input", execute: (input) => input },
    {
      name: "add",
      description: "adds two numbers",
      parameters: {
        type: "object",
        properties: { a: { type: "number" }, b: { type: "number" } },
        required: ["a", "b"],
      },
      execute: (input) => ({ sum: (input as { a: number; b: number }).a + (input as { a: number; b: number }).b }),
    },
    {
      name: "fail",
      description: "throws its message",
      execute: (input) => {
        throw Object.assign(new TypeError((input as { message: string }).message), {
          code: "E_TEST",
          details: { hint: "none" },
        });
      },
    },
  ];
}

/** A runtime over the basic tools and whatever a test adds; one computing cell at a time unless it says otherwise. */
export function createRuntime(
  options: Partial<CodeModeOptions> & { extra?: readonly CodeModeTool[] } = {},
): CodeModeRuntime {
  const { extra = [], ...rest } = options;
  return createCodeMode({ tools: [...basicTools(), ...extra], ...rest });
}

/** A scope of its own. */
export function scopeOf(session: string, run = session, agent = "main"): RunScope {
  return { agentId: agent, sessionId: session, sessionKey: session, agentRunId: run };
}

/** The value of a completed result; the whole result is the message otherwise. */
export function completedValue(result: CodeModeResult): JsonValue {
  if (result.status !== "completed") throw new Error(`not completed: ${JSON.stringify(result)}`);
  return result.value;
}

/** The result, asserted to be failed. */
export function failureOf(result: CodeModeResult): Extract<CodeModeResult, { status: "failed" }> {
  if (result.status !== "failed") throw new Error(`not failed: ${JSON.stringify(result)}`);
  return result;
}

/** The result, asserted to be waiting. */
export function waitingOf(result: CodeModeResult): Extract<CodeModeResult, { status: "waiting" }> {
  if (result.status !== "waiting") throw new Error(`not waiting: ${JSON.stringify(result)}`);
  return result;
}
