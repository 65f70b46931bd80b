import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { CodeModeError, didYouMean, messageOf } from "@code-mode/contract";
import type { LanguageModel } from "ai";
import type { ProviderConfig } from "../config/config-schema.ts";
import type { GatewayConfig } from "../config/load-config.ts";
import { type InspectBody, inspectingFetch } from "./inspecting-fetch.ts";
import { parseScript } from "./parse-script.ts";
import { type ScriptedModel, startScriptedModel } from "./start-scripted-model.ts";

/** The models of a configuration. Scripted ones are started on first use and end with this object. */
export class Models implements AsyncDisposable {
  readonly #config: Pick<GatewayConfig, "models" | "baseDir">;
  readonly #scripted = new Map<string, Promise<ScriptedModel>>();

  constructor(config: Pick<GatewayConfig, "models" | "baseDir">) {
    this.#config = config;
  }

  /**
   * The model that `provider/model` names, or the default one.
   * @param inspect sees every request body as sent on the wire; throwing keeps it from being sent
   * @throws CodeModeError `invalid_input` naming what the configuration lacks
   */
  async open(reference: string | undefined, inspect: InspectBody): Promise<LanguageModel> {
    const wanted = reference ?? this.#config.models.default;
    if (wanted === undefined)
      throw new CodeModeError(
        "invalid_input",
        'no model is configured. Set models.default to "provider/model", or agents.<id>.model.',
      );
    const [name = "", ...rest] = wanted.split("/");
    const provider = this.#provider(name, wanted);
    const baseURL = provider.api === "scripted" ? (await this.scripted(name)).baseUrl : requireBaseUrl(provider, name);
    const client = createOpenAICompatible({
      name,
      baseURL,
      fetch: inspectingFetch(inspect),
      ...(provider.apiKey === undefined ? {} : { apiKey: provider.apiKey }),
    });
    return client.chatModel(rest.join("/"));
  }

  /** The running server of a scripted provider. */
  scripted(name: string): Promise<ScriptedModel> {
    const running = this.#scripted.get(name);
    if (running !== undefined) return running;
    const started = this.#startScripted(name);
    this.#scripted.set(name, started);
    return started;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const running = await Promise.allSettled(this.#scripted.values());
    this.#scripted.clear();
    for (const model of running) if (model.status === "fulfilled") await model.value[Symbol.asyncDispose]();
  }

  #provider(name: string, wanted: string): ProviderConfig {
    const providers = this.#config.models.providers ?? {};
    const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
    if (provider === undefined) {
      const known = Object.keys(providers);
      throw new CodeModeError(
        "invalid_input",
        `model ${wanted}: models.providers has no ${name}.${didYouMean(name, known)} Configured: ${known.join(", ") || "none"}.`,
      );
    }
    if (provider.api === "openai-chat" || provider.api === "scripted") return provider;
    throw new CodeModeError(
      "invalid_input",
      `models.providers.${name}.api: ${provider.api} is not built in yet. Use openai-chat with the OpenAI-compatible address of the provider.`,
    );
  }

  async #startScripted(name: string): Promise<ScriptedModel> {
    const script = this.#provider(name, name).script;
    if (script === undefined)
      throw new CodeModeError(
        "invalid_input",
        `models.providers.${name}.script: missing; name the JSON5 file of the scripted answers.`,
      );
    const file = resolve(this.#config.baseDir, script);
    let text: string;
    try {
      text = readFileSync(file, "utf8");
    } catch (error) {
      throw new CodeModeError(
        "invalid_input",
        `models.providers.${name}.script: ${file} cannot be read (${messageOf(error)}).`,
        { cause: error },
      );
    }
    return startScriptedModel(parseScript(text, file));
  }
}

function requireBaseUrl(provider: ProviderConfig, name: string): string {
  if (provider.baseUrl !== undefined) return provider.baseUrl;
  throw new CodeModeError(
    "invalid_input",
    `models.providers.${name}.baseUrl: missing; give the address of the OpenAI-compatible server up to and with /v1.`,
  );
}
