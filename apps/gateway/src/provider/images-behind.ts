import type { ModelMessage, ToolResultPart } from "ai";

/** Results whose images come behind them in a message of the user, for protocols whose results are text alone. */
export function imagesBehind(results: readonly ToolResultPart[]): ModelMessage[] {
  const images = results.flatMap(({ output }) =>
    output.type === "content" ? output.value.filter((part) => part.type === "file") : [],
  );
  const texts = results.map((result): ToolResultPart => ({ ...result, output: textOf(result.output) }));
  const tool: ModelMessage = { role: "tool", content: texts };
  if (images.length === 0) return [tool];
  const shown = {
    type: "text" as const,
    text: `[gateway] The tool showed ${images.length === 1 ? "this image" : "these images"}:`,
  };
  return [tool, { role: "user", content: [shown, ...images] }];
}

function textOf(output: ToolResultPart["output"]): ToolResultPart["output"] {
  if (output.type !== "content") return output;
  const texts = output.value.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return { type: "text", value: texts.join("\n") || "(an image, which follows)" };
}
