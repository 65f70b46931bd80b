import type { CellEvent, CellObserver } from "@code-mode/contract";

/** Counters of all cells since creation, ready to be published. */
export type CellCounters = CellObserver & {
  /** Current values by metric and label, such as `code_mode_cells_total{status="completed"}`. */
  values(): Readonly<Record<string, number>>;
  /** The values in the Prometheus text format. */
  toPrometheus(): string;
};

const helpTexts: Readonly<Record<string, string>> = {
  code_mode_cells_started_total: "Cells started.",
  code_mode_results_total: "Results of exec and wait calls by status.",
  code_mode_failures_total: "Failed results by code.",
  code_mode_resumes_total: "Waits that reached a suspended cell.",
  code_mode_calls_total: "Nested calls by outcome.",
  code_mode_call_ms_total: "Time of ended nested calls in ms.",
  code_mode_source_bytes_total: "UTF-8 bytes of submitted programs.",
  code_mode_result_bytes_total: "UTF-8 JSON bytes of values and output that models got.",
  code_mode_hidden_bytes_total: "UTF-8 JSON bytes of nested results that stayed inside programs.",
};

/** Creates counters over cell events. A suspend is a result of status `waiting`. */
export function createCellCounters(): CellCounters {
  const counts = new Map<string, number>();
  const add = (metric: string, label = "", amount = 1) => {
    const key = metric + label;
    counts.set(key, (counts.get(key) ?? 0) + amount);
  };
  return {
    onCellEvent: (event) => count(event, add),
    values: () => Object.fromEntries(counts),
    toPrometheus: () => printCounters(counts),
  };
}

type Add = (metric: string, label?: string, amount?: number) => void;

function count(event: CellEvent, add: Add): void {
  switch (event.type) {
    case "cell_started":
      add("code_mode_cells_started_total");
      add("code_mode_source_bytes_total", "", Buffer.byteLength(event.code));
      break;
    case "cell_resumed":
      add("code_mode_resumes_total");
      break;
    case "call_ended":
      add("code_mode_calls_total", `{outcome="${event.outcome.ok ? "completed" : "failed"}"}`);
      add("code_mode_call_ms_total", "", event.durationMs);
      if (event.outcome.ok) add("code_mode_hidden_bytes_total", "", bytesOf(event.outcome.value));
      break;
    case "cell_result":
      countResult(event.result, add);
      break;
  }
}

function countResult(result: Extract<CellEvent, { type: "cell_result" }>["result"], add: Add): void {
  add("code_mode_results_total", `{status="${result.status}"}`);
  if (result.status === "failed") add("code_mode_failures_total", `{code="${result.code ?? "none"}"}`);
  const value = result.status === "completed" ? bytesOf(result.value) : 0;
  add("code_mode_result_bytes_total", "", value + (result.output === undefined ? 0 : bytesOf(result.output)));
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}

function printCounters(counts: ReadonlyMap<string, number>): string {
  const lines = Object.entries(helpTexts).flatMap(([metric, help]) => {
    const samples = [...counts]
      .filter(([key]) => key === metric || key.startsWith(`${metric}{`))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const rows = samples.length === 0 ? [] : samples.map(([key, value]) => `${key} ${value}`);
    return rows.length === 0 ? [] : [`# HELP ${metric} ${help}`, `# TYPE ${metric} counter`, ...rows];
  });
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}
