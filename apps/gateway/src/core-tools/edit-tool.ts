import type { BigIntStats } from "node:fs";
import { CodeModeError, type CodeModeTool } from "@code-mode/contract";
import { fieldsOf } from "./fields-of.ts";
import { openInside } from "./open-inside.ts";
import type { PathLocks } from "./path-locks.ts";
import { replaceFile } from "./replace-file.ts";
import type { Workspace } from "./workspace.ts";
import { encode, lockOf, maxWriteBytes } from "./write-tool.ts";

type EditInput = {
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
};

/** Most places that a refusal names. */
const maxNamedLines = 5;

/** The core tool `edit`: exchanges a piece of text in one workspace file. */
export function createEditTool(workspace: Workspace, locks: PathLocks): CodeModeTool {
  return {
    name: "edit",
    label: "Edit file",
    description:
      "Replace a piece of text in a workspace file. oldText must stand there exactly once, unless replaceAll is true.",
    parameters: editParameters,
    outputSchema: editOutput,
    execute: async (input, { signal }) => {
      const { path = "", ...change } = fieldsOf<EditInput>(input);
      const place = await workspace.resolve(path);
      const target = await workspace.resolveTarget(path);
      return locks.run(lockOf(target), async () => {
        const { text, stats } = await readText(workspace, place);
        const { edited, replacements } = replaceText(text, place.shown, change);
        const bytes = encode(edited, place.shown);
        await replaceFile(workspace, target, { bytes, expected: stats, signal });
        return { path: place.shown, replacements, bytes: bytes.length };
      });
    },
  };
}

async function readText(
  workspace: Workspace,
  place: { absolute: string; shown: string },
): Promise<{ text: string; stats: BigIntStats }> {
  await using handle = await openInside(workspace, place, "file");
  const stats = await handle.stat({ bigint: true });
  if (stats.size > maxWriteBytes)
    throw new CodeModeError(
      "invalid_input",
      `${JSON.stringify(place.shown)} has ${stats.size} bytes; edit works up to ${maxWriteBytes}. Change it with a command.`,
    );
  try {
    // a byte order mark stays where it is
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await handle.readFile()), stats };
  } catch (error) {
    throw new CodeModeError(
      "invalid_input",
      `${JSON.stringify(place.shown)} is not UTF-8 text; edit would damage it. Change it with a command.`,
      { cause: error },
    );
  }
}

function replaceText(
  text: string,
  shown: string,
  { oldText = "", newText = "", replaceAll = false }: Partial<EditInput>,
): { edited: string; replacements: number } {
  const path = JSON.stringify(shown);
  if (oldText === "") throw new CodeModeError("invalid_input", "oldText is empty. To write a whole file, use write.");
  if (oldText === newText) throw new CodeModeError("invalid_input", "oldText and newText are the same.");
  const pieces = text.split(oldText);
  const replacements = pieces.length - 1;
  if (replacements === 0) {
    const other = text.includes(oldText.trim()) ? " It is there with other white space around it." : "";
    throw new CodeModeError(
      "invalid_input",
      `oldText is not in ${path}.${other} Copy it exactly, as read returns it, line ends and indentation included.`,
    );
  }
  if (replacements > 1 && !replaceAll)
    throw new CodeModeError(
      "invalid_input",
      `oldText is ${replacements} times in ${path} (lines ${linesOf(text, oldText, replacements)}). Add lines around it until it is unique, or set replaceAll: true.`,
    );
  return { edited: pieces.join(newText), replacements };
}

/** Lines on which the occurrences begin. */
function linesOf(text: string, oldText: string, count: number): string {
  const lines: number[] = [];
  for (let at = text.indexOf(oldText); at !== -1 && lines.length < maxNamedLines; ) {
    lines.push(text.slice(0, at).split("\n").length);
    at = text.indexOf(oldText, at + oldText.length);
  }
  return lines.join(", ") + (count > maxNamedLines ? ", …" : "");
}

const editParameters = {
  type: "object",
  properties: {
    path: { type: "string", minLength: 1, description: "File, relative to the workspace." },
    oldText: { type: "string", minLength: 1, description: "Text that stands in the file now, exactly." },
    newText: { type: "string", description: "Text that takes its place." },
    replaceAll: { type: "boolean", description: "Replace every occurrence. Default false." },
  },
  required: ["path", "oldText", "newText"],
  additionalProperties: false,
};

const editOutput = {
  type: "object",
  properties: {
    path: { type: "string" },
    replacements: { type: "integer" },
    bytes: { type: "integer", description: "Size of the file afterwards." },
  },
  required: ["path", "replacements", "bytes"],
  additionalProperties: false,
};
