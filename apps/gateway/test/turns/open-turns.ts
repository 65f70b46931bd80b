import { fileURLToPath } from "node:url";
import { createHost, type Host } from "../../src/compose.ts";
import type { GatewayConfigInput, ProviderConfig } from "../../src/config/config-schema.ts";
import { resolveConfig } from "../../src/config/load-config.ts";
import { Models } from "../../src/provider/models.ts";
import { createMemoryTranscriptStore } from "../../src/store/memory-transcript-store.ts";
import { SessionLog } from "../../src/store/session-log.ts";
import type { SessionEvent, TranscriptStore } from "../../src/store/transcript-store.ts";
import { TurnRunner } from "../../src/turns/turn-runner.ts";
import { type LoopbackProvider, startLoopbackProvider, type WireReply } from "../provider/loopback-provider.ts";
import { TemporaryFolder } from "../temporary-folder.ts";

/** Options of `openTurns`. */
export type OpenTurnsOptions = {
  readonly replies: readonly WireReply[] | ((index: number) => WireReply);
  readonly provider?: Partial<ProviderConfig>;
  /** Default `test`. */
  readonly model?: string;
  readonly config?: GatewayConfigInput;
  readonly store?: TranscriptStore;
};

/** Turns over a loopback provider with a counting plugin. */
export type OpenTurns = AsyncDisposable & {
  readonly turns: TurnRunner;
  readonly host: Host;
  readonly provider: LoopbackProvider;
  readonly log: SessionLog;
  events(sessionId?: string): readonly SessionEvent[];
  /** Results of the tools that the model called, in order. */
  results(sessionId?: string): readonly unknown[];
};

const plugin = fileURLToPath(new URL("./counter-plugin.mjs", import.meta.url));

/** Opens everything that a turn needs, with one real HTTP server as provider `p`. */
export async function openTurns({ replies, ...options }: OpenTurnsOptions): Promise<OpenTurns> {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(new TemporaryFolder());
  const provider = stack.use(await startLoopbackProvider(replies));
  const path = options.provider?.api === "google" ? "/v1beta" : "/v1";
  const p: ProviderConfig = {
    api: "openai-chat",
    baseUrl: provider.url + path,
    apiKey: "secret-key-of-a-test",
    ...options.provider,
  };
  const models = { default: `p/${options.model ?? "test"}`, providers: { p } };
  const input = { models, plugins: [plugin], tools: { codeMode: true }, ...options.config };
  const config = resolveConfig(input, { baseDir: folder.path });
  const log = stack.use(new SessionLog(options.store ?? createMemoryTranscriptStore()));
  const host = stack.use(await createHost({ config, observer: log.observer }));
  const turns = stack.use(new TurnRunner({ host, models: stack.use(new Models(config)), sessions: log }));
  const events = (sessionId = "s"): readonly SessionEvent[] => log.events(sessionId);
  return {
    turns,
    host,
    provider,
    log,
    events,
    results: (sessionId) => events(sessionId).flatMap((event) => (event.type === "tool_result" ? [event.result] : [])),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
