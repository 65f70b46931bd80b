import type { CodeModeResult, JsonObject, JsonValue } from "@code-mode/contract";

/** One row of `bug-cases.jsonl`. */
export type BugCase = {
  readonly id: string;
  /** `1-guest-semantics` … `9-security`. */
  readonly kind: string;
  readonly symptom: string;
  readonly input: JsonObject;
  readonly expected: JsonObject;
};

/** One action of a case, after every short form of the data is spelled out. */
export type CaseStep =
  | {
      readonly kind: "exec";
      readonly input: JsonObject;
      readonly session?: string;
      /** The caller gives up this long after the call. */
      readonly abortAfterMs?: number;
    }
  | { readonly kind: "wait"; readonly runId: string; readonly session?: string }
  | { readonly kind: "waitLoop" }
  | { readonly kind: "parallel"; readonly steps: readonly CaseStep[] }
  | { readonly kind: "harness"; readonly action: string };

/** A tool body that ran, with the input it got. */
export type ToolCall = { readonly tool: string; readonly input: JsonValue };

/** What one step, or the whole case, let a bystander see. */
export type Observation = {
  /** The result that expectations speak of; undefined after an action that gives none. */
  readonly result: CodeModeResult | undefined;
  /** Everything the model was handed. */
  readonly results: readonly CodeModeResult[];
  readonly elapsedMs: readonly number[];
  readonly calls: readonly ToolCall[];
  /** Side effects of the whole case so far. */
  readonly ledger: Readonly<Record<string, number>>;
  /** How many `exec` and `wait` calls it took. */
  readonly modelCalls: number;
  /** Longest pause of the event loop of this thread. */
  readonly lagMs: number;
  /** What special actions measured, by the name of the matcher that reads it. */
  readonly facts: Readonly<Record<string, JsonValue>>;
};

/** `best` and `min` are the marks of a case that grades; `planned` means that it was not judged. */
export type CaseOutcome = "best" | "pass" | "min" | "fail" | "planned";

/** The judgement of one case. */
export type CaseReport = {
  readonly outcome: CaseOutcome;
  /** Why it failed, or why it cannot be judged here. */
  readonly problems: readonly string[];
  /** Expectations that were left out of an otherwise judged case, because nothing here can see them. */
  readonly unchecked: readonly string[];
};
