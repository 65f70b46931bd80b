import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { createHost, type Host, type HostOptions } from "../../src/compose.ts";
import type { GatewayConfigInput } from "../../src/config/config-schema.ts";
import { resolveConfig } from "../../src/config/load-config.ts";
import { startGateway } from "../../src/http/start-gateway.ts";
import { createMcpHttp, type McpHttpOptions } from "../../src/mcp-face/mcp-http.ts";
import { Models } from "../../src/provider/models.ts";
import { createMemoryTranscriptStore } from "../../src/store/memory-transcript-store.ts";
import { SessionLog } from "../../src/store/session-log.ts";
import { TurnRunner } from "../../src/turns/turn-runner.ts";
import { TemporaryFolder } from "../temporary-folder.ts";

/** The token of the gateway of a test. */
export const token = "a-token-of-this-test";

/** Plugin whose tool waits for the test. */
export const gatesPlugin = fileURLToPath(new URL("../fixtures/gates-plugin.mjs", import.meta.url));

/** An MCP server whose tools change and ask. */
export const changingServer = {
  command: process.execPath,
  args: [fileURLToPath(new URL("../fixtures/changing-server.mjs", import.meta.url))],
};

/** The other end of that tool, fresh. */
export type Gates = Record<"reached" | "aborted", PromiseWithResolvers<void>> & { open: PromiseWithResolvers<unknown> };

/** Fresh gates for the next host; the plugin module stays loaded, so the object is kept. */
export function resetGates(): Gates {
  const fresh: Gates = {
    reached: Promise.withResolvers(),
    aborted: Promise.withResolvers(),
    open: Promise.withResolvers(),
  };
  const holder = globalThis as unknown as { testGates?: Gates };
  holder.testGates = Object.assign(holder.testGates ?? {}, fresh);
  return holder.testGates;
}

/** A gateway that serves `/mcp`. */
export type HttpFace = AsyncDisposable & {
  readonly url: string;
  readonly host: Host;
  drain(graceMs: number): Promise<void>;
};

/** Starts one over a workspace of its own that holds `a.txt`. */
export async function openHttpFace(
  input: GatewayConfigInput = {},
  options: McpHttpOptions & Pick<HostOptions, "unattended"> = {},
): Promise<HttpFace> {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(new TemporaryFolder());
  folder.write("a.txt", "hello");
  const config = resolveConfig({ plugins: [gatesPlugin], ...input }, { baseDir: folder.path });
  const sessions = stack.use(new SessionLog(createMemoryTranscriptStore()));
  const host = stack.use(await createHost({ config, observer: sessions.observer, unattended: options.unattended }));
  const models = stack.use(new Models(config));
  const turns = new TurnRunner({ host, models, sessions });
  const mcp = createMcpHttp(host.mcp, options);
  const gateway = stack.use(await startGateway({ host: "127.0.0.1", port: 0, token, turns, mcp }));
  return { url: gateway.url, host, drain: gateway.drain, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** What a client of any version can do. */
export type AnyClient = AsyncDisposable & {
  listNames(): Promise<string[]>;
  describe(name: string): Promise<string>;
  call(name: string, input: object, options?: CallOptions): Promise<Answer>;
};

/** Options of one call. */
export type CallOptions = {
  readonly signal?: AbortSignal;
  onprogress?(progress: { message?: string | undefined }): void;
};

/** The answer to `tools/call`. */
export type Answer = {
  readonly content: readonly Record<string, unknown>[];
  readonly structuredContent: Record<string, unknown>;
  readonly isError: boolean;
};

type SdkClient = {
  listTools(): Promise<{ tools: { name: string; description?: string | undefined }[] }>;
  close(): Promise<void>;
};

function asAny(client: SdkClient, call: AnyClient["call"]): AnyClient {
  return {
    listNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    describe: async (name) => (await client.listTools()).tools.find((tool) => tool.name === name)?.description ?? "",
    call,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

const requestInit = { headers: { authorization: `Bearer ${token}` } };

/** Answers questions to the user. */
export type Elicit = (message: string) => Promise<{ action: "accept" | "decline" | "cancel" }>;

/** What a client may be beside its version. */
export type ClientOptions = {
  readonly name?: string;
  readonly elicit?: Elicit;
  /** Told when the server says that its tools changed; v2 only. */
  onToolsChanged?(): void;
};

const messageOf = (request: { params?: unknown }): string => (request.params as { message: string }).message;

/** The v2 SDK in either era of the protocol. */
export async function connectV2(
  url: string,
  mode: "legacy" | "auto",
  { name = "test", elicit, onToolsChanged }: ClientOptions = {},
): Promise<AnyClient> {
  const capabilities = elicit === undefined ? {} : { elicitation: {} };
  const client = new Client(
    { name, version: "1.0.0" },
    {
      versionNegotiation: { mode },
      capabilities,
      ...(onToolsChanged && {
        listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => onToolsChanged() } },
      }),
    },
  );
  if (elicit !== undefined) client.setRequestHandler("elicitation/create", (request) => elicit(messageOf(request)));
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  return asAny(client, async (tool, input, options) => {
    const params = { name: tool, arguments: input as Record<string, unknown> };
    return (await client.callTool(params, options)) as unknown as Answer;
  });
}

/** The v1 SDK. */
export async function connectV1(url: string, { name = "test", elicit }: ClientOptions = {}): Promise<AnyClient> {
  const capabilities = elicit === undefined ? {} : { elicitation: {} };
  const client = new OldClient({ name, version: "1.0.0" }, { capabilities });
  if (elicit !== undefined) client.setRequestHandler(ElicitRequestSchema, (request) => elicit(messageOf(request)));
  await client.connect(new OldTransport(new URL(`${url}/mcp`), { requestInit }) as Parameters<OldClient["connect"]>[0]);
  return asAny(client as unknown as SdkClient, async (tool, input, options) => {
    const params = { name: tool, arguments: input as Record<string, unknown> };
    return (await client.callTool(params, undefined, options as object)) as unknown as Answer;
  });
}

/** Connects a client of one kind. */
export type Connect = (url: string, options?: ClientOptions) => Promise<AnyClient>;

/** Every kind of client, with its name for titles. */
export const clients: readonly (readonly [string, Connect])[] = [
  ["v1", connectV1],
  ["v2 of 2025", (url, options) => connectV2(url, "legacy", options)],
  ["v2 of 2026", (url, options) => connectV2(url, "auto", options)],
];
