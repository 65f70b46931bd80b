import type { Hono } from "hono";
import type { GatewayParts } from "./gateway-parts.ts";

/** Adds the MCP server over HTTP (GW-5). */
export function mountMcpRoutes(app: Hono, { mcp }: GatewayParts): void {
  app.on(["POST", "GET", "DELETE"], "/mcp", (context) => mcp.fetch(context.req.raw));
}
