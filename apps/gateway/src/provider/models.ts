import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { CodeModeError, didYouMean, messageOf } from "@code-mode/contract";
import type { ProviderConfig } from "../config/config-schema.ts";
import type { GatewayConfig } from "../config/load-config.ts";
import type { Debug } from "../debug/open-debug.ts";
import { historyRuleOf } from "./history-rule.ts";
import type { InspectBody } from "./inspecting-fetch.ts";
import { formatOf, openLanguageModel } from "./open-language-model.ts";
import type { OpenedModel } from "./opened-model.ts";
import { parseScript } from "./parse-script.ts";
import { type ScriptedModel, startScriptedModel } from "./start-scripted-model.ts";

/** The models of a configuration. Scripted ones are started on first use and end with this object. */
export class Models implements AsyncDisposable {
  readonly #config: Pick<GatewayConfig, "models" | "baseDir">;
  readonly #debug: Debug | undefined;
  readonly #scripted = new Map<string, Promise<ScriptedModel>>();

  /** @param debug says what goes over the wire */
  constructor(config: Pick<GatewayConfig, "models" | "baseDir">, debug?: Debug) {
    this.#config = config;
    this.#debug = debug;
  }

  /**
   * The model that `provider/model` names, or the default one.
   * @param inspect sees every request body as sent on the wire; throwing keeps it from being sent
   * @throws CodeModeError `invalid_input` naming what the configuration lacks
   */
  async open(reference: string | undefined, inspect: InspectBody): Promise<OpenedModel> {
    const wanted = reference ?? this.#config.models.default;
    if (wanted === undefined)
      throw new CodeModeError(
        "invalid_input",
        'no model is configured. Set models.default to "provider/model", or agents.<id>.model.',
      );
    const [provider = "", ...rest] = wanted.split("/");
    const model = rest.join("/");
    const config = this.#provider(provider, wanted);
    const baseUrl = config.api === "scripted" ? (await this.scripted(provider)).baseUrl : config.baseUrl;
    const known = Object.hasOwn(config.models ?? {}, model) ? config.models?.[model] : undefined;
    return {
      name: wanted,
      languageModel: openLanguageModel({
        provider,
        model,
        config: { ...config, baseUrl },
        inspect,
        debug: this.#debug,
      }),
      format: formatOf[config.api],
      historyRule: historyRuleOf({ api: config.api, name: wanted, toolCallIds: config.toolCallIds }),
      maxOutputTokens: known?.maxOutputTokens,
      price: known?.price,
      secrets: config.apiKey === undefined ? [] : [config.apiKey],
    };
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
    return provider;
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
