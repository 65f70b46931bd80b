import { once } from "node:events";
import { createHost, type Host } from "../../compose.ts";
import { secretsOf } from "../../config/secrets-of.ts";
import { gatewayToken } from "../../http/gateway-token.ts";
import { startGateway } from "../../http/start-gateway.ts";
import { createMcpHttp } from "../../mcp-face/mcp-http.ts";
import { Models } from "../../provider/models.ts";
import { SessionStore } from "../../turns/session-store.ts";
import { TurnRunner } from "../../turns/turn-runner.ts";
import { configOf } from "../common-options.ts";
import { exitCodes } from "../exit-codes.ts";
import { printData, printNote } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import type { GatewayOptions } from "./add-gateway.ts";

/** How long running turns may take to end after a signal; then they are aborted (GW-8). */
const graceMs = 10_000;

/** Serves until a signal comes; then drains (CLI-2). */
export async function gatewayCommand(options: GatewayOptions, signal: AbortSignal): Promise<number> {
  const port = portOf(options.port);
  const config = configOf(options);
  const { token, where } = await gatewayToken(config);
  const sessions = new SessionStore({ secrets: [...secretsOf(config), token] });
  await using host = await createHost({
    config,
    observer: sessions.observer,
    log: (source, message) => printNote(`[${source}] ${message}`),
  });
  await using models = new Models(config);
  await using gateway = await startGateway({
    host: config.gateway.host,
    port: port ?? config.gateway.port,
    token,
    turns: new TurnRunner({ host, models, sessions }),
    mcp: createMcpHttp(host.mcp, { onError: (error) => printNote(`warning: ${error.message}`) }),
  });
  const { url } = gateway;
  await printData(
    options.json
      ? JSON.stringify({ url, mcp: `${url}/mcp`, token: where })
      : `listening on ${url}\nMCP clients: ${url}/mcp\ntoken: ${where}`,
  );
  await host.tools.settled(60_000, signal).catch(() => undefined);
  printTools(host);
  if (!signal.aborted) await once(signal, "abort");
  printNote("stopping: running turns may end, nothing new is taken on.");
  await gateway.drain(graceMs);
  return exitCodes.success;
}

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new UsageError(`--port: found ${JSON.stringify(text)}, expected a number from 0 to 65535.`);
}

/** Once servers have had their time: what there is per source, and the state of each server. */
function printTools({ tools }: Host): void {
  const counts = new Map<string, number>();
  for (const { origin } of tools.of({ agentId: "main" }).tools) {
    const source = origin?.kind === "plugin" ? `plugin ${origin.pluginId}` : (origin?.kind ?? "core");
    if (source !== "mcp") counts.set(source, (counts.get(source) ?? 0) + 1);
  }
  for (const [source, count] of counts) printNote(`tools: ${source} ${count}`);
  for (const { name, state, note, tools: count } of tools.mcpStates())
    printNote(
      `MCP server ${name}: ${state}${state === "ready" ? `, ${count} tools` : note === undefined ? "" : ` (${note})`}`,
    );
}
