import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { buildCatalog } from "@code-mode/catalog";
import type { CodeModeTool } from "@code-mode/contract";
import { expect, it } from "vitest";
import { createHost } from "../../src/compose.ts";
import type { GatewayConfigInput } from "../../src/config/config-schema.ts";
import { resolveConfig } from "../../src/config/load-config.ts";
import { openSearch } from "../../src/search/open-search.ts";
import { TemporaryFolder } from "../temporary-folder.ts";

/** Words of one line mean the same. */
const concepts = [
  ["physician", "doctor"],
  ["umbrella", "rain"],
];
const vectorOf = (value: string): number[] =>
  concepts.map((words) => words.filter((word) => value.includes(word)).length);

/** A server of vectors in the wire formats of OpenAI and Google. */
class VectorServer implements AsyncDisposable {
  readonly requests: { url: string; key: string | undefined; texts: number }[] = [];
  fails = false;
  readonly #server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request)) as VectorRequest;
    const texts = body.input ?? (body.requests ?? [body]).map((one) => one.content?.parts[0]?.text ?? "");
    this.requests.push({ url: request.url ?? "", key: keyOf(request), texts: texts.length });
    response.setHeader("content-type", "application/json");
    if (this.fails) response.writeHead(400).end('{"error":{"message":"no such model"}}');
    else response.end(JSON.stringify(answer(request.url ?? "", texts)));
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

type VectorRequest = {
  input?: string[];
  requests?: { content?: { parts: { text: string }[] } }[];
  content?: { parts: { text: string }[] };
};

function keyOf({ headers }: IncomingMessage): string | undefined {
  const key = headers.authorization ?? headers["x-goog-api-key"];
  return Array.isArray(key) ? key[0] : key;
}

function answer(url: string, texts: readonly string[]): unknown {
  if (url.includes("batchEmbedContents")) return { embeddings: texts.map((value) => ({ values: vectorOf(value) })) };
  if (url.includes("embedContent")) return { embedding: { values: vectorOf(texts[0] ?? "") } };
  return {
    object: "list",
    data: texts.map((value, index) => ({ object: "embedding", index, embedding: vectorOf(value) })),
    usage: { prompt_tokens: 1, total_tokens: 1 },
  };
}

const tools: CodeModeTool[] = [
  { name: "book_appointment", description: "With a doctor.", execute: () => null },
  { name: "forecast", description: "Will there be rain?", execute: () => null },
];

function configOf(provider: NonNullable<NonNullable<GatewayConfigInput["models"]>["providers"]>[string]) {
  return resolveConfig(
    { models: { providers: { p: provider } }, tools: { codeMode: true, search: { embeddings: "p/vectors/small" } } },
    { baseDir: "." },
  );
}

it.each([
  ["openai-chat", "/v1/embeddings", "Bearer key-1"],
  ["google", "/v1/models/vectors/small:", "key-1"],
] as const)("tools.search.embeddings finds by meaning with a model of a provider of api %s", async (api, path, key) => {
  await using server = new VectorServer();
  const search = openSearch(configOf({ api, baseUrl: await server.start(), apiKey: "key-1" }));
  const catalog = buildCatalog({ tools }, { search });
  expect((await catalog.searchSoon("physician", 1)).map(({ name }) => name)).toEqual(["book_appointment"]);
  expect((await catalog.searchSoon("umbrella", 1)).map(({ name }) => name)).toEqual(["forecast"]);
  // the definitions once, each query once
  expect(server.requests.map(({ texts }) => texts).sort()).toEqual([1, 1, 2]);
  for (const request of server.requests) expect([request.url.startsWith(path), request.key]).toEqual([true, key]);
});

it("words alone decide while the provider fails, and the log says so", async () => {
  await using server = new VectorServer();
  server.fails = true;
  const lines: string[] = [];
  const config = configOf({ api: "openai-chat", baseUrl: await server.start() });
  const search = openSearch(config, (source, message) => lines.push(`${source}: ${message}`));
  const catalog = buildCatalog({ tools }, { search });
  expect((await catalog.searchSoon("rain", 1)).map(({ name }) => name)).toEqual(["forecast"]);
  expect(lines).toEqual([expect.stringMatching(/^search: no vectors from p\/vectors\/small.*no such model/)]);
});

it("a program's search asks the model of the configuration", async () => {
  await using server = new VectorServer();
  using folder = new TemporaryFolder();
  const plugin = `export default { id: "p", tools: [{ name: "book_appointment", description: "With a doctor.", parameters: {}, execute: () => null }] };`;
  const config = {
    ...configOf({ api: "openai-chat", baseUrl: await server.start() }),
    plugins: [folder.write("p.mjs", plugin)],
  };
  await using host = await createHost({ config });
  const scope = { agentId: "main", sessionId: "s", sessionKey: "s", agentRunId: "r" };
  const result = await host.codeMode?.exec({ code: 'return (await tools.search("physician"))[0].name' }, { scope });
  expect(result).toMatchObject({ status: "completed", value: "book_appointment" });
});

it.each([
  [
    { api: "anthropic", apiKey: "k" },
    'makes no vectors. Name a model of a provider with api "openai-chat" or "google"',
  ],
  [{ api: "openai-chat" }, "models.providers.p.baseUrl is missing"],
] as const)("a provider %j that cannot make vectors is named at start", async (provider, reason) => {
  expect(() => openSearch(configOf(provider))).toThrow(reason);
  await expect(createHost({ config: configOf(provider) })).rejects.toThrow(reason);
});

it("a provider that is not configured is named", () => {
  const config = resolveConfig({ tools: { search: { embeddings: "constructor/x" } } }, { baseDir: "." });
  expect(() => openSearch(config)).toThrow('"constructor/x" names no configured provider');
});
