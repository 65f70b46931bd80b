import { createModelTools, toOpenAiChatTools, type WireTool } from "@code-mode/surface";
import { countTokens } from "gpt-tokenizer";
import type { Benchmark } from "./harness/bench-context.ts";
import { emptyRow, limitRow } from "./harness/bench-rows.ts";
import { catalogsMissing, catalogTools, loadCatalogs, type RecordedServer } from "./harness/load-catalogs.ts";
import { createOurCodeMode } from "./harness/our-code-mode.ts";

const title = {
  id: "B12",
  what: "model-visible tokens of exec + wait over the recorded MCP catalogs",
  must: "≤ 1,000",
};

const maxTokens = 1000;

/** B12: what the model reads before its first program. */
export const modelTokens: Benchmark = {
  titles: [title],
  async measure() {
    const servers = loadCatalogs();
    if (servers === undefined) return [emptyRow(title, "skipped", catalogsMissing)];
    const visible = await visibleTokens(servers);
    const direct = servers.reduce(
      (sum, { tools }) => sum + wireTokens(tools.map(({ description = "", ...tool }) => ({ ...tool, description }))),
      0,
    );
    const text = `${visible} tokens (direct: ${direct.toLocaleString("en")})`;
    return [limitRow(title, { text, fits: visible <= maxTokens }, { visible, direct })];
  },
};

async function visibleTokens(servers: readonly RecordedServer[]): Promise<number> {
  const { codeMode } = createOurCodeMode({ tools: catalogTools(servers) });
  try {
    const tools = createModelTools({ codeMode, catalog: codeMode.catalog(), config: codeMode.config });
    return wireTokens(tools);
  } finally {
    await codeMode[Symbol.asyncDispose]();
  }
}

/** Tokens of tools as they stand in a Chat Completions request. */
function wireTokens(tools: readonly WireTool[]): number {
  return countTokens(JSON.stringify(toOpenAiChatTools(tools)));
}
