import { ClientRuns } from "./client-tools/client-runs.ts";
import { createHost, type Host } from "./compose.ts";
import type { GatewayConfig } from "./config/load-config.ts";
import { secretsOf } from "./config/secrets-of.ts";
import type { UserMessage } from "./core-tools/message-tool.ts";
import type { SessionCounts } from "./core-tools/session-status-tool.ts";
import { allObservers } from "./debug/all-observers.ts";
import { debugHost } from "./debug/debug-host.ts";
import { debugObserver } from "./debug/debug-observer.ts";
import type { Debug } from "./debug/open-debug.ts";
import { type StartGatewayOptions, startGateway } from "./http/start-gateway.ts";
import { createMcpHttp } from "./mcp-face/mcp-http.ts";
import type { AuditEvent } from "./policy/audit-event.ts";
import { Models } from "./provider/models.ts";
import { describeRecovery, recoverTranscripts } from "./store/recover-transcripts.ts";
import { SessionLog } from "./store/session-log.ts";
import type { TranscriptStore } from "./store/transcript-store.ts";
import { createGatewayTelemetry } from "./telemetry/gateway-telemetry.ts";
import { recoverTurns } from "./turns/recover-turns.ts";
import type { TurnEvent } from "./turns/turn-event.ts";
import { TurnRunner } from "./turns/turn-runner.ts";

/** Options of `openGateway`. */
export type OpenGatewayOptions = {
  readonly config: GatewayConfig;
  readonly token: string;
  /** Where transcripts go; closed with the gateway. */
  readonly store: TranscriptStore;
  /** What to change about the HTTP side; by default it listens where the configuration says. */
  readonly http?: Partial<StartGatewayOptions> | undefined;
  /** What the debug variables ask for. */
  readonly debug?: Debug | undefined;
  /** Receives lines of plugins and MCP servers, and warnings of the gateway itself. */
  log?(source: string, message: string): void;
};

/** A gateway that serves: host, models, transcripts and HTTP. Disposing ends all of it. */
export type OpenedGateway = AsyncDisposable & {
  readonly url: string;
  readonly host: Host;
  readonly models: Models;
  readonly turns: TurnRunner;
  readonly sessions: SessionLog;
  /** Takes nothing new on, lets what runs end for at most this long, then ends it (GW-8). */
  drain(graceMs: number): Promise<void>;
};

/**
 * Opens everything that a gateway is made of, in the order in which it must end again.
 * @throws CodeModeError `invalid_input` for a configuration or address that cannot be used; nothing is left running then
 */
export async function openGateway(options: OpenGatewayOptions): Promise<OpenedGateway> {
  const { config, token, http, debug } = options;
  await using stack = new AsyncDisposableStack();
  const log = (source: string, message: string): void => options.log?.(source, message);
  const telemetry = await createGatewayTelemetry();
  const sessions = stack.use(
    new SessionLog(options.store, { secrets: [...secretsOf(config), token], observer: telemetry }),
  );
  const recovery = await recoverTranscripts(options.store);
  for (const line of describeRecovery(recovery)) log("gateway", `recovered: ${line}`);
  const host = stack.use(
    await createHost({
      config,
      log,
      observer: allObservers(sessions.observer, telemetry, debug && debugObserver(debug.log)),
      audit: (event) => recordAudit(sessions, event),
      recorder: sessions.recorder,
      corePorts: {
        onMessage: (message) => keepMessage(sessions, message),
        sessionStatus: ({ sessionId }) => countsOf(sessions, sessionId),
      },
      unattended: "park",
    }),
  );
  const models = stack.use(new Models(config, debug));
  const clientRuns = new ClientRuns({
    answerTtlMs: config.codeMode.snapshotTtlSeconds * 1000,
    onCalls: ({ sessionId, agentRunId }, calls) => {
      const event: TurnEvent = { type: "client_calls", agentRunId, calls };
      sessions.record(sessionId, event);
    },
  });
  const turns = new TurnRunner({ host: debugHost(host, debug), models, sessions, clientTools: clientRuns });
  const warn = (error: Error): void => log("gateway", `warning: ${error.message}`);
  const gateway = stack.use(
    await startGateway({
      host: config.gateway.host,
      port: config.gateway.port,
      allowedHosts: config.gateway.allowedHosts,
      token,
      turns,
      clientRuns,
      mcp: createMcpHttp(host.mcp, { onError: warn }),
      services: host,
      store: sessions.store,
      metrics: () => telemetry.render(),
      onError: warn,
      ...http,
    }),
  );
  recoverTurns(recovery.turns, { turns, known: host.tools.known(), log: (line) => log("gateway", line) });
  const opened = stack.move();
  return {
    url: gateway.url,
    host,
    models,
    turns,
    sessions,
    drain: gateway.drain,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** A message to the user is delivered once it is durable; whoever follows the session's events gets it then. */
async function keepMessage(sessions: SessionLog, { scope, ...message }: UserMessage): Promise<boolean> {
  const { sessionId, agentRunId } = scope;
  if (sessions.readOnly !== undefined || sessions.find(sessionId) === undefined) return false;
  sessions.record(sessionId, { type: "message", agentRunId, ...message });
  await sessions.flush();
  return true;
}

/** What `session_status` tells of a session that is kept. */
function countsOf(sessions: SessionLog, sessionId: string): SessionCounts | undefined {
  const session = sessions.find(sessionId);
  return session && { createdAt: session.createdAt, turns: session.turns, events: session.events };
}

/** Decisions about calls of sessions that have no transcript (MCP clients) stay out of it. */
function recordAudit(sessions: SessionLog, event: AuditEvent): void {
  if (sessions.readOnly === undefined && sessions.find(event.sessionId) !== undefined)
    sessions.record(event.sessionId, event);
}
