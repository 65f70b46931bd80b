import { createGoogle } from "@ai-sdk/google";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createHybridEngine, createLexicalEngine, type SearchEngine } from "@code-mode/catalog";
import { CodeModeError, type JsonObject, messageOf } from "@code-mode/contract";
import { type EmbeddingModel, embedMany } from "ai";
import type { GatewayConfig } from "../config/load-config.ts";

/** Where a failed request for vectors is told. */
export type SearchLog = (source: string, message: string, facts?: JsonObject) => void;

/** One batch of definitions; the search that needs them waits a shorter time anyway. */
const embedTimeoutMs = 30_000;
const key = "tools.search.embeddings";

/**
 * The search of a configuration: by words, and by meaning too where `tools.search.embeddings` names a model. Names,
 * descriptions and parameters of tools and the queries of programs go to its provider then.
 * @throws CodeModeError `invalid_input` for a model whose provider is not configured or makes no vectors
 */
export function openSearch(config: Pick<GatewayConfig, "tools" | "models">, log?: SearchLog): SearchEngine {
  const named = config.tools.search?.embeddings;
  if (named === undefined) return createLexicalEngine();
  const model = openEmbeddingModel(named, config.models.providers ?? {});
  return createHybridEngine({
    embed: async (texts) => {
      const abortSignal = AbortSignal.timeout(embedTimeoutMs);
      return (await embedMany({ model, values: [...texts], maxRetries: 1, abortSignal })).embeddings;
    },
    onProblem: (error) => log?.("search", `no vectors from ${named}, words alone decide: ${messageOf(error)}`),
  });
}

function openEmbeddingModel(
  named: string,
  providers: NonNullable<GatewayConfig["models"]["providers"]>,
): EmbeddingModel {
  const [, provider = "", model = ""] = /^([^/]+)\/(.+)$/s.exec(named) ?? [];
  const known = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
  if (known === undefined)
    throw new CodeModeError(
      "invalid_input",
      `${key}: ${JSON.stringify(named)} names no configured provider. Write "provider/model" with one of models.providers (${Object.keys(providers).join(", ") || "none yet"}).`,
    );
  const { api, apiKey, baseUrl } = known;
  if (api === "google")
    return createGoogle({
      apiKey: apiKey ?? "none",
      ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
    }).embeddingModel(model);
  if (api === "openai-chat" && baseUrl !== undefined)
    return createOpenAICompatible({
      name: provider,
      baseURL: baseUrl,
      ...(apiKey === undefined ? {} : { apiKey }),
    }).embeddingModel(model);
  throw new CodeModeError(
    "invalid_input",
    api === "openai-chat"
      ? `${key}: models.providers.${provider}.baseUrl is missing; give the address of the server up to and with /v1.`
      : `${key}: the provider ${provider} (${api}) makes no vectors. Name a model of a provider with api "openai-chat" or "google".`,
  );
}
