import type { Hono } from "hono";
import type { ClientRuns } from "../client-tools/client-runs.ts";
import type { Host } from "../compose.ts";
import type { McpHttp } from "../mcp-face/mcp-http.ts";
import type { TranscriptStore } from "../store/transcript-store.ts";
import type { TurnRunner } from "../turns/turn-runner.ts";

/** What the routes of a gateway work on; a part that is absent leaves its routes out. */
export type GatewayParts = {
  readonly turns: TurnRunner;
  readonly mcp: McpHttp;
  /** Tools, policy, approvals and the runtime. */
  readonly services?: Host | undefined;
  /** The calls that are with clients; without them there are no chat completions. */
  readonly clientRuns?: ClientRuns | undefined;
  readonly store?: TranscriptStore | undefined;
  /** The metrics in the Prometheus text format. */
  readonly metrics?: (() => string | Promise<string>) | undefined;
};

/** Adds some routes to the app. Who asks has shown the token, and the body is JSON of an allowed size. */
export type Mount = (app: Hono, parts: GatewayParts) => void;
