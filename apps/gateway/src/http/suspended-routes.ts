import type { SuspendedRunInfo } from "@code-mode/runtime";
import type { Hono } from "hono";
import type { GatewayParts } from "./gateway-parts.ts";

/** Adds the list of suspended cells: whose they are and what they wait for, never with what input (GW-4). */
export function mountSuspendedRoutes(app: Hono, { services }: GatewayParts): void {
  if (services === undefined) return;
  app.get("/api/suspended", (context) => {
    const { codeMode, mcp } = services;
    const runs = [...(codeMode?.suspendedRuns() ?? []), ...mcp.suspendedRuns()];
    return context.json({ suspended: runs.map(show) });
  });
}

function show({ runId, scope, since, expiresAt, pending, snapshotBytes }: SuspendedRunInfo): object {
  return {
    runId,
    sessionId: scope.sessionId,
    agentId: scope.agentId,
    agentRunId: scope.agentRunId,
    since: new Date(since).toISOString(),
    expiresAt: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
    pending: pending.map(({ message: _progress, ...call }) => call),
    snapshotBytes,
  };
}
