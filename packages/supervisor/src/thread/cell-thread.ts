import type {
  BridgeReply,
  GuestFailure,
  HostMessage,
  PreparedInfo,
  ThreadLimits,
  ThreadMessage,
  TurnFault,
  TurnState,
} from "@code-mode/bridge";
import { CodeModeError, messageOf, type PreparedSource, type PrepareSource } from "@code-mode/contract";
import type { OutputNotes } from "../unsent-output.ts";
import { CellOutput } from "./cell-output.ts";
import { EngineException } from "./engine.ts";
import type { GuestCatalog } from "./guest-catalog.ts";
import { BodySyntaxError, type GuestVm } from "./guest-vm.ts";

type StartMessage = Extract<HostMessage, { type: "start" }>;
type ResumeMessage = Extract<HostMessage, { type: "resume" }>;
type DeliverMessage = Extract<HostMessage, { type: "deliver" }>;

/** First line of a guest turn (see `guest/cell.ts`). */
type TurnHeader = {
  state: "idle" | "yield" | "done" | "failed" | "again" | "stuck";
  timerMs?: number;
  reason?: string;
  failure?: Omit<GuestFailure, "fromHost">;
  fromHost?: boolean;
  hints?: string;
};

type TurnReport = { readonly state: TurnState; readonly callsJson: string };

/** What a cell needs of its thread. */
export type CellThreadOptions = {
  readonly vm: GuestVm;
  readonly prepareSource: PrepareSource;
  readonly catalog: GuestCatalog;
  readonly outputNotes: OutputNotes;
  post(message: ThreadMessage): void;
  /** Sets until when the guest may compute from now on. */
  startClock(budgetMs: number): void;
};

/** The one cell that this thread is running: start or resume, turns, packing. */
export class CellThread {
  readonly cellId: string;
  readonly output: CellOutput;
  readonly catalog: GuestCatalog;
  readonly #options: CellThreadOptions;
  readonly #limits: ThreadLimits;
  #rootPointer = 0;
  #settledRoot = false;
  #prepared: PreparedInfo | undefined;
  #hints: string[] = [];

  constructor(message: StartMessage | ResumeMessage, options: CellThreadOptions) {
    this.cellId = message.cellId;
    this.catalog = options.catalog;
    this.#options = options;
    this.#limits = message.limits;
    const use = message.type === "resume" ? message.outputUse : { usedBytes: 0, omittedBytes: 0 };
    this.output = new CellOutput(message.limits.maxOutputBytes, use, options.outputNotes);
  }

  async start(message: StartMessage): Promise<void> {
    const { vm, prepareSource } = this.#options;
    if (message.loadCompiler) await this.#loadCompiler();
    this.#options.startClock(message.budgetMs);
    this.output.begin(message.turn);
    try {
      const prepared = await prepareSource(message);
      this.#turn(message.turn, () => {
        this.#prepared = { positions: prepared.positions, implicitValue: prepared.implicitValue };
        this.#hints.push(...prepared.hints);
        vm.reset();
        vm.begin(this.#beginJson(message, prepared));
        this.#rootPointer = vm.start(prepared.body);
      });
    } catch (error) {
      this.#report(message.turn, this.#badEnd(error));
    }
  }

  resume(message: ResumeMessage): void {
    this.#turn(message.turn, () => {
      const { vm } = this.#options;
      vm.unpack(message.packed);
      // Unpacking is our work, not the guest's.
      this.#options.startClock(message.budgetMs);
      this.#rootPointer = message.packed.rootPointer;
      this.#settledRoot = vm.rootState(this.#rootPointer) !== 0;
      if (message.endYield) vm.endYield();
      this.#deliver(message.replies);
    });
  }

  deliver(message: DeliverMessage): void {
    this.#options.startClock(message.budgetMs);
    this.#turn(message.turn, () => this.#deliver(message.replies));
  }

  park(): void {
    const { post } = this.#options;
    const failed = { type: "park_failed", cellId: this.cellId } as const;
    try {
      const result = this.#options.vm.pack(this.#rootPointer, this.#limits.maxSnapshotBytes);
      if ("packed" in result) post({ type: "parked", cellId: this.cellId, packed: result.packed });
      else post({ ...failed, reason: "too_large", bytes: result.tooLarge, message: "" });
    } catch (error) {
      post({ ...failed, reason: "engine", bytes: 0, message: messageOf(error) });
    }
  }

  /** Loading a compiler takes longer than many budgets: it is not charged to the cell (WAIT-6). */
  async #loadCompiler(): Promise<void> {
    await this.#options.prepareSource({
      code: "let x: number = 1; return x",
      language: "typescript",
      typescriptEnabled: true,
    });
    this.#options.post({ type: "clock_started", cellId: this.cellId });
  }

  #beginJson(message: StartMessage, prepared: PreparedSource): string {
    const head = JSON.stringify({
      maxInputBytes: this.#limits.maxToolInputBytes,
      maxOutstanding: this.#limits.maxOutstandingCalls,
      mayHoldSymbols: prepared.mayHoldSymbols,
    });
    return message.namespaces === undefined ? head : `${head.slice(0, -1)},"namespaces":${message.namespaces}}`;
  }

  #deliver(replies: readonly BridgeReply[]): void {
    if (replies.length === 0) return;
    const rows = replies.map((reply) =>
      reply.ok
        ? `[${reply.sequence},1,${reply.mcp === true ? 1 : 0},${reply.json}]`
        : `[${reply.sequence},0,${JSON.stringify(reply.error)}]`,
    );
    this.#options.vm.deliver(`[${rows.join(",")}]`);
  }

  /** One turn: enter the guest, drain its jobs, ask how it stands, report. */
  #turn(turn: number, enter: () => void): void {
    this.output.begin(turn);
    let report: TurnReport;
    try {
      enter();
      report = this.#settle();
    } catch (error) {
      report = this.#badEnd(error);
    }
    this.#report(turn, report);
  }

  #badEnd(error: unknown): TurnReport {
    return { state: { kind: "fault", fault: this.#faultOf(error) }, callsJson: "" };
  }

  /** Most turns have calls and nothing else: what is empty is not sent. */
  #report(turn: number, { state, callsJson }: TurnReport): void {
    const hints = this.#hints;
    const output = this.output.take();
    this.#options.post({
      type: "turn",
      turn,
      state,
      callsJson,
      ...(output.length === 0 && !this.output.omits ? {} : { output, outputUse: this.output.use }),
      ...(hints.length === 0 ? {} : { hints }),
      ...(this.#prepared === undefined ? {} : { prepared: this.#prepared }),
    });
    if (hints.length > 0) this.#hints = [];
    this.#prepared = undefined;
  }

  #settle(): TurnReport {
    const { vm } = this.#options;
    for (;;) {
      vm.drain();
      if (!this.#settledRoot && vm.stopped === undefined && vm.rootState(this.#rootPointer) !== 0) {
        this.#settledRoot = true;
        vm.settleRoot(this.#rootPointer);
        continue;
      }
      if (vm.stopped !== undefined) return { state: { kind: "fault", fault: { kind: vm.stopped } }, callsJson: "" };
      const { header, calls } = vm.turn();
      if (vm.stopped !== undefined) return { state: { kind: "fault", fault: { kind: vm.stopped } }, callsJson: "" };
      const parsed = JSON.parse(header) as TurnHeader;
      if (parsed.hints !== undefined) this.#hints.push(parsed.hints);
      if (parsed.state === "done") {
        const { json, bytes } = vm.value(this.#limits.maxValueBytes);
        return { state: { kind: "done", valueJson: json, valueBytes: bytes }, callsJson: "" };
      }
      if (parsed.state !== "again") return toReport(parsed, calls);
    }
  }

  #faultOf(error: unknown): TurnFault {
    const { vm } = this.#options;
    if (CodeModeError.is(error)) {
      const { line, column } = (error.details ?? {}) as { line?: number; column?: number };
      return { kind: "invalid_source", message: error.message, ...position(line, column) };
    }
    if (error instanceof BodySyntaxError)
      return { kind: "invalid_source", message: error.message, ...position(error.line, error.column), generated: true };
    if (vm.stopped !== undefined) return { kind: vm.stopped };
    vm.markBroken();
    if (error instanceof EngineException && error.uncatchable) return { kind: "memory" };
    return { kind: "engine", message: messageOf(error) };
  }
}

function toReport(header: TurnHeader, calls: string): TurnReport {
  switch (header.state) {
    case "failed":
      return { state: { kind: "fault", fault: { kind: "guest", failure: failureOf(header) } }, callsJson: calls };
    case "stuck":
      return { state: { kind: "fault", fault: { kind: "never_settles" } }, callsJson: "" };
    case "yield":
      return {
        state: { kind: "yield", ...(header.reason === undefined ? {} : { reason: header.reason }) },
        callsJson: calls,
      };
    default:
      return {
        state: { kind: "idle", ...(header.timerMs === undefined ? {} : { timerMs: header.timerMs }) },
        callsJson: calls,
      };
  }
}

function failureOf(header: TurnHeader): GuestFailure {
  const failure = header.failure ?? { name: "Error", message: "the program failed without saying why", stack: "" };
  return { ...failure, ...(header.fromHost === true ? { fromHost: true } : {}) };
}

function position(line: number | undefined, column: number | undefined): { line?: number; column?: number } {
  return { ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) };
}
