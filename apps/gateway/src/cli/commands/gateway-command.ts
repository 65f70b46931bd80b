import { once } from "node:events";
import type { Host } from "../../compose.ts";
import { secretsOf } from "../../config/secrets-of.ts";
import { openDebug } from "../../debug/open-debug.ts";
import { registerEndpoint } from "../../http/endpoint-registry.ts";
import { gatewayToken } from "../../http/gateway-token.ts";
import { isLoopback } from "../../http/is-loopback.ts";
import { openGateway } from "../../open-gateway.ts";
import { openTranscriptStore } from "../../store/open-transcript-store.ts";
import { configOf } from "../common-options.ts";
import { exitCodes } from "../exit-codes.ts";
import { printData, printLog, printNote, showLine } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import type { GatewayOptions } from "./add-gateway.ts";

/** How long running turns may take to end after a signal; then they are aborted (GW-8). */
const graceMs = 10_000;

/** Serves until a signal comes; then drains (CLI-2). */
export async function gatewayCommand(options: GatewayOptions, signal: AbortSignal): Promise<number> {
  const port = portOf(options.port);
  const config = configOf(options);
  const { token, where } = await gatewayToken(config);
  const store = openTranscriptStore({
    dataDir: config.gateway.dataDir,
    log: (message) => printNote(`warning: ${message}`),
  });
  await using gateway = await openGateway({
    config,
    token,
    store,
    http: port === undefined ? {} : { port },
    debug: openDebug({ env: process.env, secrets: [...secretsOf(config), token], write: printNote }),
    log: printLog,
  });
  const { url, host } = gateway;
  using _endpoint = registerEndpoint(config.gateway.dataDir, { url, token });
  await printData(
    options.json
      ? JSON.stringify({ url, mcp: `${url}/mcp`, token: where })
      : `listening on ${url}\nMCP clients: ${url}/mcp\ntoken: ${where}`,
  );
  if (!isLoopback(config.gateway.host))
    printNote(
      `warning: ${url} can be reached from other machines, without encryption. Put a proxy with TLS in front and name it in gateway.allowedHosts, or set gateway.host to 127.0.0.1.`,
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
      `MCP server ${showLine(name)}: ${state}${state === "ready" ? `, ${count} tools` : note === undefined ? "" : ` (${showLine(note)})`}`,
    );
}
