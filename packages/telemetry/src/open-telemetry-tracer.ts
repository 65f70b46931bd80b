import type { Span, SpanAttributes, SpanTracer } from "./create-span-observer.ts";

/** The part of an OpenTelemetry span that is used. */
export type OtelSpan = {
  setAttributes(attributes: SpanAttributes): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  end(): void;
};

/** The part of the module `@opentelemetry/api` that is used; pass the module itself. */
export type OpenTelemetryApi<Context, OpenSpan extends OtelSpan> = {
  readonly trace: {
    getTracer(name: string): {
      startSpan(name: string, options: { attributes: SpanAttributes }, context: Context): OpenSpan;
    };
    setSpan(context: Context, span: OpenSpan): Context;
  };
  readonly context: { active(): Context };
};

/** `SpanStatusCode.ERROR` of OpenTelemetry. */
const errorStatus = 2;

/** Makes a tracer of the module `@opentelemetry/api`, which stays a dependency of the host alone. */
export function openTelemetryTracer<Context, OpenSpan extends OtelSpan>(
  api: OpenTelemetryApi<Context, OpenSpan>,
): SpanTracer {
  const tracer = api.trace.getTracer("@code-mode");
  const otelSpans = new WeakMap<Span, OpenSpan>();
  return {
    startSpan: (name, attributes, parent) => {
      const above = parent && otelSpans.get(parent);
      const context = above === undefined ? api.context.active() : api.trace.setSpan(api.context.active(), above);
      const otel = tracer.startSpan(name, { attributes }, context);
      const span: Span = {
        setAttributes: (more) => void otel.setAttributes(more),
        end: (failure) => {
          if (failure !== undefined) otel.setStatus({ code: errorStatus, message: failure });
          otel.end();
        },
      };
      otelSpans.set(span, otel);
      return span;
    },
  };
}
