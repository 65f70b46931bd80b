import { lstat, opendir } from "node:fs/promises";
import type { CodeModeTool } from "@code-mode/contract";
import { fieldsOf } from "./fields-of.ts";
import type { Workspace } from "./workspace.ts";
import { WorkspaceFolder } from "./workspace-folder.ts";

/** Most entries one call lists: a folder with more is better searched than listed. */
const maxEntries = 1_000;

type Entry = {
  readonly name: string;
  readonly type: "file" | "directory" | "symlink" | "other";
  readonly size?: number;
};

/** The core tool `ls`: what one folder of the workspace holds. */
export function createLsTool(workspace: Workspace): CodeModeTool {
  return {
    name: "ls",
    label: "List folder",
    description: "List the files and folders of a workspace folder.",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", description: "Folder, relative to the workspace. Default the workspace itself." },
      },
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        path: { type: "string" },
        entries: {
          type: "array",
          items: {
            type: "object",
            properties: {
              name: { type: "string" },
              type: { enum: ["file", "directory", "symlink", "other"] },
              size: { type: "integer", description: "Bytes, for files." },
            },
            required: ["name", "type"],
          },
        },
        truncated: { type: "boolean" },
      },
      required: ["path", "entries", "truncated"],
    },
    replaySafe: true,
    execute: async (input) => {
      const { path } = fieldsOf<{ path?: string }>(input);
      const place = await workspace.resolve(path ?? ".");
      await using folder = await WorkspaceFolder.open(workspace, place);
      return { path: place.shown, ...(await list(folder)) };
    },
  };
}

async function list(folder: WorkspaceFolder): Promise<{ entries: Entry[]; truncated: boolean }> {
  const entries: Entry[] = [];
  const handle = await opendir(folder.at("."));
  for await (const found of handle) {
    if (entries.length === maxEntries) return { entries: sorted(entries), truncated: true };
    const type = found.isFile()
      ? "file"
      : found.isDirectory()
        ? "directory"
        : found.isSymbolicLink()
          ? "symlink"
          : "other";
    const size = type === "file" ? await sizeOf(folder.at(found.name)) : undefined;
    entries.push({ name: found.name, type, ...(size === undefined ? {} : { size }) });
  }
  return { entries: sorted(entries), truncated: false };
}

async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await lstat(file)).size;
  } catch {
    return undefined; // deleted since the folder was read
  }
}

function sorted(entries: Entry[]): Entry[] {
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}
