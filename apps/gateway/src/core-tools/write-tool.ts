import { CodeModeError, type CodeModeTool } from "@code-mode/contract";
import { fieldsOf } from "./fields-of.ts";
import type { PathLocks } from "./path-locks.ts";
import { replaceFile } from "./replace-file.ts";
import type { Workspace, WorkspaceTarget } from "./workspace.ts";

/** Most bytes one file may get; larger data is made by a command. */
export const maxWriteBytes = 4 * 1024 * 1024;

/** The core tool `write`: one text file of the workspace, whole or not at all. */
export function createWriteTool(workspace: Workspace, locks: PathLocks): CodeModeTool {
  return {
    name: "write",
    label: "Write file",
    description:
      "Write a text file of the workspace: creates it with its folders, or replaces all of it. To change a part, use edit.",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, description: "File, relative to the workspace." },
        content: { type: "string", description: "The whole new text." },
      },
      required: ["path", "content"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        path: { type: "string" },
        bytes: { type: "integer" },
        created: { type: "boolean", description: "There was no such file before." },
      },
      required: ["path", "bytes", "created"],
      additionalProperties: false,
    },
    execute: async (input, { signal }) => {
      const { path = "", content = "" } = fieldsOf<{ path: string; content: string }>(input);
      const bytes = encode(content, path);
      const target = await workspace.resolveTarget(path);
      const created = await locks.run(lockOf(target), () => replaceFile(workspace, target, { bytes, signal }));
      return { path: target.shown, bytes: bytes.length, created };
    },
  };
}

/** Where work on one file queues. */
export function lockOf({ folder, missing, name }: WorkspaceTarget): string {
  return [folder, ...missing, name].join("/");
}

/** @throws CodeModeError `invalid_input` for a text that is too long for a file */
export function encode(content: string, path: string): Buffer {
  const bytes = Buffer.from(content, "utf8");
  if (bytes.length <= maxWriteBytes) return bytes;
  throw new CodeModeError(
    "invalid_input",
    `the text for ${JSON.stringify(path)} has ${bytes.length} bytes; a file may get ${maxWriteBytes}. Split it, or make it with a command.`,
  );
}
