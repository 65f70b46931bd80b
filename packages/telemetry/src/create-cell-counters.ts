import type { CellEvent, CellObserver } from "@code-mode/contract";
import { Counters } from "./counters.ts";

/** Counters of all cells since creation, ready to be published. */
export type CellCounters = CellObserver & {
  /** Current values by metric and label, such as `code_mode_cells_total{status="completed"}`. */
  values(): Readonly<Record<string, number>>;
  /** The values in the Prometheus text format. */
  toPrometheus(): string;
};

/** What is counted of cells, by metric. */
export const cellMetrics: Readonly<Record<string, string>> = {
  code_mode_cells_started_total: "Cells started.",
  code_mode_results_total: "Results of exec and wait calls by status.",
  code_mode_failures_total: "Failed results by code.",
  code_mode_suspends_total: "Cells suspended: results of status waiting, by reason.",
  code_mode_resumes_total: "Waits that reached a suspended cell.",
  code_mode_calls_total: "Nested calls by outcome.",
  code_mode_call_ms_total: "Time of ended nested calls in ms.",
  code_mode_source_bytes_total: "UTF-8 bytes of submitted programs.",
  code_mode_result_bytes_total: "UTF-8 JSON bytes of values and output that models got.",
  code_mode_hidden_bytes_total: "UTF-8 JSON bytes of nested results that stayed inside programs.",
  code_mode_tokens_saved_total:
    "Estimate of the tokens that models did not have to read: bytes of nested results less those of the cell's results, four to a token.",
};

const bytesPerToken = 4;

/** Creates counters over cell events. */
export function createCellCounters(): CellCounters {
  const counters = new Counters(cellMetrics);
  const counter = new CellCounter(counters);
  return {
    onCellEvent: (event) => counter.count(event),
    values: () => counters.values(),
    toPrometheus: () => counters.toPrometheus(),
  };
}

/** Cells that were dropped while suspended never tell; the oldest are forgotten beyond this number. */
const maxOpenCells = 10_000;

/** Counts events of cells into counters that have the metrics of `cellMetrics`. */
export class CellCounter {
  readonly #counters: Counters;
  /** Bytes that each open cell kept from the model so far, less what it gave. */
  readonly #kept = new Map<string, number>();

  constructor(counters: Counters) {
    this.#counters = counters;
  }

  /** Counts one event. */
  count(event: CellEvent): void {
    switch (event.type) {
      case "cell_started":
        this.#open(event.cellId);
        this.#counters.add("code_mode_cells_started_total");
        this.#counters.add("code_mode_source_bytes_total", {}, Buffer.byteLength(event.code));
        break;
      case "cell_resumed":
        this.#counters.add("code_mode_resumes_total");
        break;
      case "call_ended":
        this.#countCall(event);
        break;
      case "cell_result":
        this.#countResult(event);
        break;
    }
  }

  #open(cellId: string): void {
    this.#kept.set(cellId, 0);
    const oldest = this.#kept.keys().next();
    if (this.#kept.size > maxOpenCells && oldest.done !== true) this.#kept.delete(oldest.value);
  }

  #countCall({ cellId, outcome, durationMs }: Extract<CellEvent, { type: "call_ended" }>): void {
    this.#counters.add("code_mode_calls_total", { outcome: outcome.ok ? "completed" : "failed" });
    this.#counters.add("code_mode_call_ms_total", {}, durationMs);
    if (!outcome.ok) return;
    const bytes = bytesOf(outcome.value);
    this.#counters.add("code_mode_hidden_bytes_total", {}, bytes);
    this.#keep(cellId, bytes);
  }

  #countResult({ cellId, result }: Extract<CellEvent, { type: "cell_result" }>): void {
    this.#counters.add("code_mode_results_total", { status: result.status });
    if (result.status === "failed") this.#counters.add("code_mode_failures_total", { code: result.code ?? "none" });
    if (result.status === "waiting") this.#counters.add("code_mode_suspends_total", { reason: result.reason });
    const value = result.status === "completed" ? bytesOf(result.value) : 0;
    const bytes = value + (result.output === undefined ? 0 : bytesOf(result.output));
    this.#counters.add("code_mode_result_bytes_total", {}, bytes);
    this.#keep(cellId, -bytes);
    if (result.status === "waiting") return;
    const saved = Math.floor((this.#kept.get(cellId) ?? 0) / bytesPerToken);
    this.#kept.delete(cellId);
    if (saved > 0) this.#counters.add("code_mode_tokens_saved_total", {}, saved);
  }

  #keep(cellId: string, bytes: number): void {
    const kept = this.#kept.get(cellId);
    if (kept !== undefined) this.#kept.set(cellId, kept + bytes);
  }
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}
