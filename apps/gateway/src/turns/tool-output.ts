import type { JsonObject, JsonValue } from "@code-mode/contract";
import type { ToolResultPart } from "ai";
import { isPlainObject } from "./plain-object.ts";

/** What a tool answered: as the model gets it, and as the record shows it. */
export type ToolOutput = { readonly output: ToolResultPart["output"]; readonly shown: JsonValue };

type ImageBlock = { readonly type: "image"; readonly data: string; readonly mimeType: string };

/**
 * The answer of a tool for the model. Images in MCP form (`content: [{type: "image", data, mimeType}]`) become images of
 * the message: as text they would cost a hundred times the tokens and show nothing.
 */
export function toolOutput(result: JsonValue): ToolOutput {
  const blocks = isPlainObject(result) && Array.isArray(result.content) ? (result.content as JsonValue[]) : [];
  const images = blocks.filter(isImage);
  if (images.length === 0) return { output: { type: "json", value: result as never }, shown: result };
  const content = blocks.map((block) => (isImage(block) ? withoutData(block) : block));
  const shown: JsonValue = { ...(result as JsonObject), content };
  return {
    shown,
    output: {
      type: "content",
      value: [
        { type: "text", text: JSON.stringify(shown) },
        ...images.map(({ data, mimeType }) => ({
          type: "file" as const,
          mediaType: mimeType,
          data: { type: "data" as const, data },
        })),
      ],
    },
  };
}

function isImage(block: unknown): block is ImageBlock {
  return (
    isPlainObject(block) &&
    block.type === "image" &&
    typeof block.data === "string" &&
    typeof block.mimeType === "string" &&
    block.mimeType.startsWith("image/")
  );
}

function withoutData({ data, mimeType }: ImageBlock): JsonObject {
  return { type: "image", mimeType, omittedBytes: data.length };
}
