import type { Host } from "../../src/compose.ts";
import type { GatewayConfigInput } from "../../src/config/config-schema.ts";
import { resolveConfig } from "../../src/config/load-config.ts";
import type { StartGatewayOptions } from "../../src/http/start-gateway.ts";
import { openGateway as openReal } from "../../src/open-gateway.ts";
import type { Models } from "../../src/provider/models.ts";
import { createMemoryTranscriptStore } from "../../src/store/memory-transcript-store.ts";
import type { TranscriptStore } from "../../src/store/transcript-store.ts";
import type { TemporaryFolder } from "../temporary-folder.ts";

/** The token of every gateway of these tests. */
export const token = "a-token-of-this-test";

/** What a request got. */
export type Reply = { readonly status: number; readonly headers: Headers; readonly body: Record<string, unknown> };

/** A gateway that listens, and how to ask it. */
export type TestGateway = AsyncDisposable & {
  readonly url: string;
  readonly host: Host;
  readonly models: Models;
  readonly store: TranscriptStore;
  /** Sends JSON (POST where there is a body) with the token and asks for JSON. */
  send(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  drain(graceMs: number): Promise<void>;
};

/** What a test says about its gateway. */
export type OpenOptions = {
  readonly script?: object;
  readonly config?: GatewayConfigInput;
  readonly start?: Partial<StartGatewayOptions>;
};

/** A gateway with one scripted model over a workspace that holds `a.txt`. */
export async function openGateway(folder: TemporaryFolder, options: OpenOptions = {}): Promise<TestGateway> {
  folder.write("script.json5", JSON.stringify(options.script ?? { steps: [{ text: "hi" }] }));
  folder.write("a.txt", "hello");
  const providers = { s: { api: "scripted" as const, script: "./script.json5" } };
  const input = { models: { default: "s/x", providers }, tools: { codeMode: true }, ...options.config };
  const config = resolveConfig(input, { baseDir: folder.path });
  const store = createMemoryTranscriptStore();
  const gateway = await openReal({ config, token, store, http: { port: 0, ...options.start } });
  const { url, host, models } = gateway;
  return {
    url,
    host,
    models,
    store,
    send: (path, body, headers = {}) => send(url + path, body, headers),
    drain: gateway.drain,
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

async function send(url: string, body: unknown, headers: Record<string, string>): Promise<Reply> {
  const sent =
    body === undefined ? {} : { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) };
  const json = body === undefined ? {} : { "content-type": "application/json" };
  const standard = { authorization: `Bearer ${token}`, accept: "application/json", ...json };
  const reply = await fetch(url, { ...sent, headers: { ...standard, ...headers } });
  const text = await reply.text();
  const parsed = text.startsWith("{") ? JSON.parse(text.split("\n")[0] as string) : { text };
  return { status: reply.status, headers: reply.headers, body: parsed as Reply["body"] };
}

/** Status and error code of a reply. */
export function errorOf({ status, body }: Reply): readonly unknown[] {
  return [status, (body.error as { code: string } | undefined)?.code];
}
