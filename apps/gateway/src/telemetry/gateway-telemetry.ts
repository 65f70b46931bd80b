import type { CellObserver } from "@code-mode/contract";
import {
  createMetrics,
  createSpanObserver,
  type Metrics,
  openTelemetryMetrics,
  openTelemetryTracer,
  type TurnObserver,
} from "@code-mode/telemetry";

/** Metrics and spans of a gateway: what observers of cells and of turns are told, and the text for `GET /metrics`. */
export type GatewayTelemetry = CellObserver & TurnObserver & Pick<Metrics, "render" | "values">;

/**
 * Creates the metrics of a gateway and its OpenTelemetry spans (TEL-3). Spans and meters go nowhere unless the process
 * was started with an OpenTelemetry SDK (`node --import`), as the API promises.
 */
export async function createGatewayTelemetry(): Promise<GatewayTelemetry> {
  const api = await import("@opentelemetry/api");
  const metrics = createMetrics();
  const observers: readonly Partial<CellObserver & TurnObserver>[] = [
    metrics,
    createSpanObserver(openTelemetryTracer(api)),
    openTelemetryMetrics(api, metrics),
  ];
  return {
    onCellEvent(event) {
      for (const observer of observers) observer.onCellEvent?.(event);
    },
    onTurnEvent(sessionId, event) {
      for (const observer of observers) observer.onTurnEvent?.(sessionId, event);
    },
    values: () => metrics.values(),
    render: () => metrics.render(),
  };
}
