import type { CellObserver } from "@code-mode/contract";
import { Counters } from "./counters.ts";
import { CellCounter, cellMetrics } from "./create-cell-counters.ts";
import { type TurnObserver, type TurnTraceEvent, textOf, usageOf } from "./turn-trace-event.ts";

/** Counters of cells and turns since creation. */
export type Metrics = CellObserver &
  TurnObserver & {
    /** Current values by metric and label, such as `code_mode_turns_total{status="completed"}`. */
    values(): Readonly<Record<string, number>>;
    /** The values in the Prometheus text format, for `GET /metrics`. */
    render(): string;
  };

const turnMetrics: Readonly<Record<string, string>> = {
  code_mode_turns_started_total: "Turns started.",
  code_mode_turns_total: "Turns ended by status.",
  code_mode_turn_ms_total: "Time of ended turns in ms.",
  code_mode_model_requests_total: "Requests to models.",
  code_mode_model_retries_total: "Requests to models that were sent again after a failure of the provider.",
  code_mode_model_ms_total: "Time of answered requests to models in ms.",
  code_mode_tokens_total: "Tokens of requests to models by model and type, as far as providers told.",
};

/** Creates the metrics of a gateway (TEL-3). */
export function createMetrics(): Metrics {
  const counters = new Counters({ ...turnMetrics, ...cellMetrics });
  const cells = new CellCounter(counters);
  return {
    onCellEvent: (event) => cells.count(event),
    onTurnEvent: (_sessionId, event) => countTurn(event, counters),
    values: () => counters.values(),
    render: () => counters.toPrometheus(),
  };
}

function countTurn(event: TurnTraceEvent, counters: Counters): void {
  switch (event.type) {
    case "turn_started":
      counters.add("code_mode_turns_started_total");
      break;
    case "turn_ended":
      counters.add("code_mode_turns_total", { status: textOf(event.status) ?? "unknown" });
      counters.add("code_mode_turn_ms_total", {}, milliseconds(event.durationMs));
      break;
    case "model_request":
      counters.add("code_mode_model_requests_total");
      break;
    case "model_retry":
      counters.add("code_mode_model_retries_total");
      break;
    case "model_response": {
      const model = textOf(event.model) ?? "unknown";
      const { input, output } = usageOf(event);
      counters.add("code_mode_model_ms_total", {}, milliseconds(event.ms));
      counters.add("code_mode_tokens_total", { model, type: "input" }, input);
      counters.add("code_mode_tokens_total", { model, type: "output" }, output);
      break;
    }
  }
}

function milliseconds(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
