import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { CodeModeError } from "@code-mode/contract";
import type { PayloadFormat } from "@code-mode/surface";
import type { LanguageModel } from "ai";
import type { ProviderConfig } from "../config/config-schema.ts";
import { debugFetch } from "../debug/debug-fetch.ts";
import type { Debug } from "../debug/open-debug.ts";
import { type InspectBody, inspectingFetch } from "./inspecting-fetch.ts";
import { tidyChatFetch } from "./tidy-chat-fetch.ts";

/** Which model of which provider, and who sees its requests. */
export type LanguageModelOptions = {
  readonly provider: string;
  readonly model: string;
  readonly config: Pick<ProviderConfig, "api" | "apiKey" | "baseUrl">;
  readonly inspect: InspectBody;
  readonly debug?: Debug | undefined;
};

/** The wire format of each protocol. */
export const formatOf: Readonly<Record<ProviderConfig["api"], PayloadFormat>> = {
  "openai-chat": "openai-chat",
  scripted: "openai-chat",
  anthropic: "anthropic",
  google: "gemini",
};

const addresses = {
  anthropic: "https://api.anthropic.com/v1",
  google: "https://generativelanguage.googleapis.com/v1beta",
};

/**
 * The client of one model. Key and address always come from the configuration: the libraries would otherwise look for
 * them in the environment, and a key that happens to be there must not go to a server that was named here.
 * @throws CodeModeError `invalid_input` naming the key of the configuration that is missing
 */
export function openLanguageModel({ provider, model, config, inspect, debug }: LanguageModelOptions): LanguageModel {
  const { api } = config;
  const wire = debug === undefined ? fetch : debugFetch(fetch, debug);
  const send = inspectingFetch((body) => inspect(body, formatOf[api]), wire);
  if (api === "anthropic" || api === "google") {
    const baseURL = config.baseUrl ?? addresses[api];
    const apiKey = keyOf(provider, config);
    if (api === "anthropic") return createAnthropic({ baseURL, apiKey, fetch: send })(model);
    return createGoogle({ baseURL, apiKey, fetch: send })(model);
  }
  const client = createOpenAICompatible({
    name: provider,
    baseURL: addressOf(provider, config),
    includeUsage: true,
    fetch: tidyChatFetch(send),
    ...(config.apiKey === undefined ? {} : { apiKey: config.apiKey }),
  });
  return client.chatModel(model);
}

function keyOf(provider: string, { apiKey, baseUrl, api }: LanguageModelOptions["config"]): string {
  if (apiKey !== undefined) return apiKey;
  // a server of one's own may need no key
  if (baseUrl !== undefined) return "none";
  throw new CodeModeError(
    "invalid_input",
    `models.providers.${provider}.apiKey: missing; write "\${${api.toUpperCase()}_API_KEY}" to take it from the environment.`,
  );
}

function addressOf(provider: string, { baseUrl }: LanguageModelOptions["config"]): string {
  if (baseUrl !== undefined) return baseUrl;
  throw new CodeModeError(
    "invalid_input",
    `models.providers.${provider}.baseUrl: missing; give the address of the OpenAI-compatible server up to and with /v1.`,
  );
}
