import type { Metrics } from "./create-metrics.ts";
import { genAi, genAiMetrics, genAiOperations } from "./gen-ai-names.ts";
import { type TurnObserver, type TurnTraceEvent, textOf, usageOf } from "./turn-trace-event.ts";

type Attributes = { readonly [name: string]: string };

/** The part of an OpenTelemetry meter that is used. */
export type OtelMeter = {
  createHistogram(
    name: string,
    options: { unit: string; description: string },
  ): { record(value: number, attributes: Attributes): void };
  createObservableCounter(
    name: string,
    options: { description: string },
  ): { addCallback(callback: (result: { observe(value: number, attributes: Attributes): void }) => void): void };
};

/** The part of the module `@opentelemetry/api` that is used; pass the module itself. */
export type OpenTelemetryMetricsApi = { readonly metrics: { getMeter(name: string): OtelMeter } };

/** Counters as OpenTelemetry names them: dots instead of underlines, without `_total`. */
const published = ["suspends", "resumes", "source_bytes", "result_bytes", "hidden_bytes", "tokens_saved"];

/**
 * Publishes metrics through OpenTelemetry (TEL-3): the counters of cells as observable counters, and the histograms of
 * the GenAI conventions for tokens and time of model requests. Gives the observer of turn events that feeds these.
 */
export function openTelemetryMetrics(api: OpenTelemetryMetricsApi, metrics: Metrics): TurnObserver {
  const meter = api.metrics.getMeter("@code-mode");
  for (const name of published) {
    const key = `code_mode_${name}_total`;
    meter.createObservableCounter(`code_mode.${name}`, { description: key }).addCallback((result) => {
      for (const [sample, value] of Object.entries(metrics.values()))
        if (sample === key || sample.startsWith(`${key}{`)) result.observe(value, labelsOf(sample.slice(key.length)));
    });
  }
  const tokens = meter.createHistogram(genAiMetrics.tokenUsage, {
    unit: "{token}",
    description: "Tokens of a request.",
  });
  const duration = meter.createHistogram(genAiMetrics.operationDuration, {
    unit: "s",
    description: "Time of a request to a model.",
  });
  return {
    onTurnEvent(_sessionId, event) {
      if (event.type !== "model_response") return;
      const attributes = modelAttributes(event);
      const { input, output } = usageOf(event);
      tokens.record(input, { ...attributes, [genAi.tokenType]: "input" });
      tokens.record(output, { ...attributes, [genAi.tokenType]: "output" });
      if (typeof event.ms === "number") duration.record(event.ms / 1000, attributes);
    },
  };
}

function modelAttributes(event: TurnTraceEvent): Attributes {
  const reference = textOf(event.model) ?? "";
  const slash = reference.indexOf("/");
  return {
    [genAi.operation]: genAiOperations.model,
    [genAi.requestModel]: reference.slice(slash + 1),
    ...(slash > 0 ? { [genAi.provider]: reference.slice(0, slash) } : {}),
  };
}

/** The labels of counters here are words without quotes in them. */
function labelsOf(text: string): Attributes {
  return Object.fromEntries(
    [...text.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value]),
  );
}
