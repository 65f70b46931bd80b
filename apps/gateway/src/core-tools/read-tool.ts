import type { FileHandle } from "node:fs/promises";
import { CodeModeError, type CodeModeTool } from "@code-mode/contract";
import { fieldsOf } from "./fields-of.ts";
import { LineWindow } from "./line-window.ts";
import { openInside } from "./open-inside.ts";
import type { Workspace } from "./workspace.ts";

/** Most bytes one call returns; more is read with offset, page by page. */
const maxReadBytes = 256 * 1024;

type ReadInput = { readonly path: string; readonly offset: number; readonly limit: number };

/** The core tool `read`: text of one workspace file, by lines. */
export function createReadTool(workspace: Workspace): CodeModeTool {
  return {
    name: "read",
    label: "Read file",
    description: "Read a text file of the workspace. Large files come in pages: go on with offset: nextOffset.",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", description: "File, relative to the workspace." },
        offset: { type: "integer", minimum: 1, description: "First line to read. Default 1." },
        limit: { type: "integer", minimum: 1, description: "Most lines to read. Default all that fit 256 KiB." },
      },
      required: ["path"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        path: { type: "string" },
        content: { type: "string" },
        startLine: { type: "integer" },
        lines: { type: "integer" },
        truncated: { type: "boolean", description: "More of the file follows." },
        nextOffset: { type: "integer", description: "Line to go on with; present when truncated." },
      },
      required: ["path", "content", "startLine", "lines", "truncated"],
    },
    replaySafe: true,
    execute: async (input, { signal }) => {
      const { path = "", offset = 1, limit = Number.MAX_SAFE_INTEGER } = fieldsOf<ReadInput>(input);
      const file = await workspace.resolve(path);
      await using handle = await openInside(workspace, file, "file");
      const window = await readLines(handle, { shown: file.shown, offset, limit, signal });
      return {
        path: file.shown,
        content: window.text(),
        startLine: offset,
        lines: window.lines,
        truncated: window.truncated,
        ...(window.truncated ? { nextOffset: offset + window.lines } : {}),
      };
    },
  };
}

type ReadLinesOptions = {
  readonly shown: string;
  readonly offset: number;
  readonly limit: number;
  readonly signal: AbortSignal;
};

async function readLines(handle: FileHandle, options: ReadLinesOptions): Promise<LineWindow> {
  const window = new LineWindow({ offset: options.offset, limit: options.limit, maxBytes: maxReadBytes });
  const buffer = Buffer.allocUnsafe(64 * 1024);
  for (let first = true; !window.full; first = false) {
    options.signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, null);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    if (first && chunk.subarray(0, 8_192).includes(0))
      throw new CodeModeError(
        "invalid_input",
        `${JSON.stringify(options.shown)} is a binary file; read returns text only.`,
      );
    window.push(chunk);
  }
  return window;
}
