import { CodeModeError, type CodeModeTool } from "@code-mode/contract";
import { fieldsOf } from "./fields-of.ts";
import { openInside } from "./open-inside.ts";
import type { Workspace } from "./workspace.ts";

/** Providers refuse larger images. */
const maxImageBytes = 4 * 1024 * 1024;
/** Name of the tool, for those who decide which agents get it. */
export const viewImageName = "view_image";

/** How files of the types that all providers take begin. */
const signatures: readonly (readonly [mimeType: string, matches: (bytes: Buffer) => boolean])[] = [
  ["image/png", (bytes) => bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))],
  ["image/jpeg", (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))],
  ["image/gif", (bytes) => /^GIF8[79]a/.test(bytes.toString("latin1", 0, 6))],
  ["image/webp", (bytes) => /^RIFF[\s\S]{4}WEBP/.test(bytes.toString("latin1", 0, 12))],
];

/** The core tool `view_image`: an image for the model itself. Direct-only, as guests have no use for binary data. */
export function createViewImageTool(workspace: Workspace): CodeModeTool {
  return {
    name: viewImageName,
    label: "View image",
    description: "Look at an image file of the workspace: PNG, JPEG, GIF or WebP, up to 4 MiB.",
    catalogMode: "direct-only",
    parameters: {
      type: "object",
      properties: { path: { type: "string", minLength: 1, description: "File, relative to the workspace." } },
      required: ["path"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        path: { type: "string" },
        mimeType: { enum: signatures.map(([mimeType]) => mimeType) },
        bytes: { type: "integer" },
        content: {
          type: "array",
          description: "The image as MCP content: base64 and type.",
          items: {
            type: "object",
            properties: { type: { const: "image" }, data: { type: "string" }, mimeType: { type: "string" } },
            required: ["type", "data", "mimeType"],
            additionalProperties: false,
          },
        },
      },
      required: ["path", "mimeType", "bytes", "content"],
      additionalProperties: false,
    },
    execute: async (input) => {
      const { path = "" } = fieldsOf<{ path: string }>(input);
      const place = await workspace.resolve(path);
      await using handle = await openInside(workspace, place, "file");
      const { size } = await handle.stat();
      if (size > maxImageBytes)
        throw new CodeModeError(
          "invalid_input",
          `${JSON.stringify(place.shown)} has ${size} bytes; images may have ${maxImageBytes}. Make it smaller first.`,
        );
      const bytes = await handle.readFile();
      const mimeType = mimeTypeOf(bytes, place.shown);
      const content = [{ type: "image", data: bytes.toString("base64"), mimeType }];
      return { path: place.shown, mimeType, bytes: bytes.length, content };
    },
  };
}

/** The content decides, not the file's name: providers refuse a request whose type is wrong. */
function mimeTypeOf(bytes: Buffer, shown: string): string {
  const found = signatures.find(([, matches]) => matches(bytes));
  if (found !== undefined) return found[0];
  throw new CodeModeError(
    "invalid_input",
    `${JSON.stringify(shown)} is no PNG, JPEG, GIF or WebP image. For text files use read.`,
  );
}
