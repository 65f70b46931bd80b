// Tells a turn to the real OpenTelemetry SDK and prints what that made of it. In a process of its own: under the test
// runner the packages resolve to their "module" entry, whose imports Node cannot load.
import * as api from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { createMetrics, createSpanObserver, openTelemetryMetrics, openTelemetryTracer } from "../src/index.ts";
import { telemetry, tell } from "./turn-story.ts";

const spanExporter = new InMemorySpanExporter();
api.trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spanExporter)] }));
const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
const provider = new MeterProvider({ readers: [reader] });
api.metrics.setGlobalMeterProvider(provider);

const metrics = createMetrics();
tell(createSpanObserver(openTelemetryTracer(api)));
tell(metrics);
tell(openTelemetryMetrics(api, metrics));
metrics.onCellEvent({
  type: "cell_result",
  cellId: "c2",
  toolCallId: "e2",
  result: { status: "waiting", runId: "r", reason: "yield", telemetry },
  durationMs: 1,
});
await provider.forceFlush();

const finished = spanExporter.getFinishedSpans();
const nameOf = new Map(finished.map((span) => [span.spanContext().spanId, span.name]));
const spans = finished.map((span) => ({
  name: span.name,
  parent: nameOf.get(span.parentSpanContext?.spanId ?? ""),
  traceId: span.spanContext().traceId,
  attributes: span.attributes,
  status: span.status,
  events: span.events,
}));
const points = exporter
  .getMetrics()
  .flatMap(({ scopeMetrics }) => scopeMetrics)
  .flatMap((scoped) => scoped.metrics)
  .flatMap(({ descriptor, dataPoints }) =>
    dataPoints.map(({ attributes, value }) => [
      descriptor.name,
      attributes,
      typeof value === "number" ? value : (value as { sum?: number }).sum,
    ]),
  );
console.log(JSON.stringify({ spans, points }));
await provider.shutdown();
