import type { Context, Hono } from "hono";
import { explainAgent } from "../explain/explain-agent.ts";
import type { GatewayParts } from "./gateway-parts.ts";
import { HttpError } from "./http-error.ts";

/** Adds the tool catalog, with `explain=1` also what is not visible and why (GW-4, CLI-6). */
export function mountToolRoutes(app: Hono, { services }: GatewayParts): void {
  if (services === undefined) return;
  app.get("/api/tools", (context) => {
    const { config, tools } = services;
    const agentId = context.req.query("agent") ?? "main";
    if (agentId !== "main" && !Object.hasOwn(config.agents, agentId))
      throw new HttpError(404, "unknown_agent", `there is no agent ${agentId}.`);
    const explained = explainAgent({ config, agentId, scope: scopeOf(context), tools });
    const explain = !["", "0", "false"].includes(context.req.query("explain") ?? "");
    if (explain) return context.json(explained);
    const usable = explained.tools.filter(({ state }) => state === "visible" || state === "direct-only");
    return context.json({ ...explained, tools: usable });
  });
}

/** Whose rules hold beside those of the agent: `?session=`, `?sender=`, `?channel=`. */
function scopeOf(context: Context): { sessionId?: string; sender?: string; channel?: string } {
  const { session, sender, channel } = context.req.query();
  return {
    ...(session === undefined ? {} : { sessionId: session }),
    ...(sender === undefined ? {} : { sender }),
    ...(channel === undefined ? {} : { channel }),
  };
}
