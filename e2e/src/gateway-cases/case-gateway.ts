import { join } from "node:path";
import type { JsonObject, JsonValue } from "@code-mode/contract";
import { FakeProvider } from "./fake-provider.ts";
import { type FixturePlugin, fixturePluginText, PluginJournal } from "./fixture-plugin.ts";
import { GatewayProcess } from "./gateway-process.ts";
import { type ProviderRequest, readRequest } from "./provider-request.ts";
import type { ProviderReply } from "./wire-formats.ts";

/** What a case wants of its gateway. */
export type CaseGatewayOptions = FixturePlugin & {
  readonly replies?: readonly ProviderReply[];
  /** Merged over the configuration, one level deep. */
  readonly config?: JsonObject;
  readonly provider?: JsonObject;
  readonly env?: Readonly<Record<string, string>>;
};

/** How a turn ended, as its client saw it. */
export type TurnEnd = { readonly httpStatus: number; readonly body: JsonValue };

/** A gateway process with the fixture plugin and a scripted provider. */
export class CaseGateway implements AsyncDisposable {
  readonly process: GatewayProcess;
  readonly provider: FakeProvider;
  readonly journal: PluginJournal;
  readonly #env: Readonly<Record<string, string>>;

  private constructor(parts: Pick<CaseGateway, "process" | "provider" | "journal">, env: Record<string, string>) {
    this.process = parts.process;
    this.provider = parts.provider;
    this.journal = parts.journal;
    this.#env = env;
  }

  /** Starts provider and gateway. */
  static async open({
    replies = [],
    config = {},
    provider: rule,
    env = {},
    ...plugin
  }: CaseGatewayOptions = {}): Promise<CaseGateway> {
    const provider = await FakeProvider.open(replies);
    const process = new GatewayProcess();
    const journalFile = join(process.folder, "journal.jsonl");
    process.write("fixture.mjs", fixturePluginText(journalFile, plugin));
    const base: JsonObject = {
      gateway: { port: 0 },
      models: {
        default: "p/m",
        providers: { p: { api: "openai-chat", baseUrl: provider.url, apiKey: "key-of-the-provider", ...rule } },
      },
      plugins: ["./fixture.mjs"],
      tools: { codeMode: { enabled: true } },
    };
    process.write("codemode.config.json", merged(base, config));
    const gateway = new CaseGateway({ process, provider, journal: new PluginJournal(journalFile) }, { ...env });
    try {
      await gateway.start();
      return gateway;
    } catch (error) {
      await gateway[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Starts the process again after `process.stop()`. */
  start(): Promise<void> {
    return this.process.start(this.#env);
  }

  /** One turn as JSON. */
  async turn(sessionId: string, request: JsonObject): Promise<TurnEnd> {
    const response = await this.process.fetch(`/api/sessions/${sessionId}/turns`, {
      method: "POST",
      headers: { accept: "application/json" },
      body: JSON.stringify(request),
    });
    return { httpStatus: response.status, body: parsed(await response.text()) };
  }

  /** `POST /v1/chat/completions`. */
  async chat(request: JsonObject): Promise<TurnEnd> {
    const response = await this.process.fetch("/v1/chat/completions", {
      method: "POST",
      body: JSON.stringify({ model: "main", ...request }),
    });
    return { httpStatus: response.status, body: parsed(await response.text()) };
  }

  /** The lines of a session's trajectory as text. */
  async trajectory(sessionId: string): Promise<string> {
    const response = await this.process.fetch(`/api/sessions/${sessionId}/trajectory`);
    const text = await response.text();
    if (!response.ok) throw new Error(`the trajectory answers ${response.status}: ${text.slice(0, 200)}`);
    return text;
  }

  /** Requests to the provider, in one form for all formats. */
  get requests(): readonly ProviderRequest[] {
    return this.provider.requests.map(readRequest);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.process[Symbol.asyncDispose]();
    await this.provider[Symbol.asyncDispose]();
  }
}

function merged(base: JsonObject, over: JsonObject): JsonObject {
  const result: Record<string, JsonValue> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = result[key];
    const mergeable = isObject(below) && isObject(value);
    result[key] = mergeable ? { ...below, ...value } : value;
  }
  return result;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
