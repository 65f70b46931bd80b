import type { CodeModeTool, ModelTool } from "@code-mode/contract";
import { toOpenAiChatTools } from "@code-mode/surface";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

/** Tokens (o200k) of the tool definitions in a request: with code mode, and if every tool were shown. */
export type TokenComparison = { readonly codeMode: number; readonly direct: number; readonly directTools: number };

/** Compares what the model got with what direct exposure of the same tools would cost. */
export function compareTokens(sent: readonly unknown[], tools: readonly CodeModeTool[]): TokenComparison {
  const direct = tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    inputSchema: (typeof tool.parameters === "object"
      ? tool.parameters
      : { type: "object" }) as ModelTool["inputSchema"],
  }));
  return {
    codeMode: countTokens(JSON.stringify(sent)),
    direct: countTokens(JSON.stringify(toOpenAiChatTools(direct))),
    directTools: direct.length,
  };
}
