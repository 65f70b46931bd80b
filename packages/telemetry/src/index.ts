export { CellFacts } from "./cell-facts.ts";
export { type CellCounters, createCellCounters } from "./create-cell-counters.ts";
export { createDebugLog, type DebugLog, type DebugLogOptions } from "./create-debug-log.ts";
export { createMetrics, type Metrics } from "./create-metrics.ts";
export { createSpanObserver, type Span, type SpanAttributes, type SpanTracer } from "./create-span-observer.ts";
export {
  createTrajectoryRecorder,
  type TrajectoryOptions,
  type TrajectoryRecorder,
} from "./create-trajectory-recorder.ts";
export { type DebugFlags, debugFlags } from "./debug-flags.ts";
export { type OpenTelemetryMetricsApi, type OtelMeter, openTelemetryMetrics } from "./open-telemetry-meter.ts";
export { type OpenTelemetryApi, type OtelSpan, openTelemetryTracer } from "./open-telemetry-tracer.ts";
export { type RedactOptions, Redactor, redact } from "./redact.ts";
export { isSecretKey } from "./secret-patterns.ts";
export { type TrajectoryType, trajectoryJsonSchema, trajectoryTypes } from "./trajectory-events.ts";
export type { TurnObserver, TurnTraceEvent } from "./turn-trace-event.ts";
export { validateTrajectory } from "./validate-trajectory.ts";
