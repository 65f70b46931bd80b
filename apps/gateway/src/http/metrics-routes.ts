import type { Hono } from "hono";
import type { GatewayParts } from "./gateway-parts.ts";

/** Adds the metrics in the Prometheus text format (GW-4). */
export function mountMetricsRoutes(app: Hono, { metrics }: GatewayParts): void {
  if (metrics === undefined) return;
  app.get("/metrics", async (context) =>
    context.body(await metrics(), 200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }),
  );
}
