import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import type { CodeMode, CodeModeResult, JsonObject, JsonValue, RunScope } from "@code-mode/contract";
import { scopeOf } from "./case-scope.ts";
import type { CaseStep, Observation, ToolCall } from "./case-types.ts";
import type { CorruptibleStore } from "./corruptible-store.ts";
import { runHarnessAction } from "./harness-actions.ts";
import type { CaseMcp } from "./mcp-cases/case-mcp.ts";
import type { ScriptedApprovals } from "./scripted-approvals.ts";
import type { ToolJournal } from "./tool-journal.ts";

/** Longest a single `exec` or `wait` may take before it counts as a hang; the largest budget of the data is 10 s. */
const hangMs = 45_000;
/** Longest from the start of a program to its first call. */
const callLimitMs = 10_000;
const pollMs = 10;
/** More waits than any case needs; a cell that still waits is lost. */
const maxWaits = 40;

/** What a `CaseRun` works with. */
export type CaseRunParts = {
  readonly codeMode: CodeMode;
  readonly journal: ToolJournal;
  readonly store: CorruptibleStore;
  readonly input: JsonObject;
  readonly approvals: ScriptedApprovals;
  /** Absent in a case without MCP server processes. */
  readonly mcp?: CaseMcp | undefined;
};

/** Plays the steps of one case as one agent run of one session, and keeps what each step let one see. */
export class CaseRun {
  readonly parts: CaseRunParts;
  readonly observations: Observation[] = [];
  #scope: RunScope = scopeOf("case", 1);
  #turns = 1;
  #results: CodeModeResult[] = [];
  #elapsedMs: number[] = [];

  constructor(parts: CaseRunParts) {
    this.parts = parts;
  }

  /** The scope that calls without an explicit session use. */
  get scope(): RunScope {
    return this.#scope;
  }

  /** Plays one step and records what it showed. */
  async play(step: CaseStep): Promise<void> {
    const callsBefore = this.parts.journal.calls.length;
    this.#results = [];
    this.#elapsedMs = [];
    const facts = await this.#perform(step);
    this.observations.push({
      result: this.#results.at(-1),
      results: this.#results,
      elapsedMs: this.#elapsedMs,
      calls: [...this.parts.journal.calls.slice(callsBefore), ...this.#callsOfServers()],
      ledger: this.parts.journal.ledger,
      modelCalls: this.#elapsedMs.length,
      lagMs: 0,
      facts,
    });
  }

  async #perform(step: CaseStep): Promise<Readonly<Record<string, JsonValue>>> {
    switch (step.kind) {
      case "exec":
        if (step.abortAfterMs !== undefined) return this.#execAndAbort(step.input, step.abortAfterMs);
        await this.exec(step.input, this.#scopeFor(step.session));
        return {};
      case "wait":
        await this.#waitFor(step.runId, this.#scopeFor(step.session));
        return {};
      case "waitLoop":
        await this.#waitOut(this.observations.at(-1)?.result);
        return {};
      case "parallel":
        await Promise.all(step.steps.map((inner) => this.#perform(inner)));
        return {};
      case "harness":
        return runHarnessAction(step.action, this);
    }
  }

  /** Waits on the last result until it is terminal, as a further step. */
  async settle(): Promise<void> {
    if (this.observations.findLast(({ result }) => result !== undefined)?.result?.status === "waiting")
      await this.play({ kind: "waitLoop" });
  }

  /** One `exec` of the model. */
  async exec(input: JsonObject, scope: RunScope = this.#scope, signal?: AbortSignal): Promise<CodeModeResult> {
    const options = signal === undefined ? { scope } : { scope, signal };
    return this.#timed(`exec ${JSON.stringify(input).slice(0, 80)}`, () => this.parts.codeMode.exec(input, options));
  }

  /** One `wait` of the model. */
  async wait(runId: string, scope: RunScope = this.#scope): Promise<CodeModeResult> {
    return this.#timed(`wait ${runId}`, () => this.parts.codeMode.wait({ runId }, { scope }));
  }

  /** Ends the agent run; later calls belong to the next turn of the same session. */
  async endTurn(): Promise<void> {
    await this.parts.codeMode.endRun(this.#scope);
    this.#scope = scopeOf("case", ++this.#turns);
  }

  /** A wait for a cell that needed none is not sent: its result is the one it has. */
  async #waitFor(reference: string, scope: RunScope): Promise<void> {
    const index = /^\$(\d+)\.runId$/.exec(reference)?.[1];
    if (index === undefined) {
      await this.wait(reference, scope);
      return;
    }
    const target = this.observations[Number(index)]?.result;
    if (target === undefined) throw new Error(`${reference} names a step without a result`);
    if (target.status === "waiting") await this.wait(target.runId, scope);
    else this.#results.push(target);
  }

  async #waitOut(from: CodeModeResult | undefined): Promise<void> {
    let result = from ?? this.observations.findLast((seen) => seen.result !== undefined)?.result;
    for (let count = 0; count < maxWaits && result?.status === "waiting"; count++)
      result = await this.wait(result.runId);
    if (result !== undefined && this.#results.length === 0) this.#results.push(result);
  }

  #scopeFor(session: string | undefined): RunScope {
    return session === undefined ? this.#scope : scopeOf(session, 1);
  }

  /** The clock starts when a call reached a server, so that a slow start of the program decides nothing. */
  async #execAndAbort(input: JsonObject, abortAfterMs: number): Promise<Readonly<Record<string, JsonValue>>> {
    const abort = new AbortController();
    const ended = this.exec(input, this.#scope, abort.signal);
    const journals = Object.values(this.parts.mcp?.journals ?? {});
    const isCalled = (): boolean => journals.some(({ entries }) => entries.some(({ kind }) => kind === "call"));
    for (let waited = 0; !isCalled() && waited < callLimitMs; waited += pollMs) await delay(pollMs);
    await delay(abortAfterMs);
    const abortedAt = Date.now();
    abort.abort();
    await ended;
    return { abortedAt };
  }

  #callsOfServers(): readonly ToolCall[] {
    return Object.values(this.parts.mcp?.journals ?? {}).flatMap((journal) => journal.takeCalls());
  }

  async #timed(label: string, call: () => Promise<CodeModeResult>): Promise<CodeModeResult> {
    const startedAt = performance.now();
    const result = await withinLimit(call(), label);
    this.#elapsedMs.push(performance.now() - startedAt);
    this.#results.push(result);
    return result;
  }
}

async function withinLimit<T>(work: Promise<T>, label: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const hang = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`hangs: no answer within ${hangMs} ms to ${label}`)), hangMs);
  });
  try {
    return await Promise.race([work, hang]);
  } finally {
    clearTimeout(timer);
  }
}
