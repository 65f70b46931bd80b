import type { Dirent } from "node:fs";
import { opendir } from "node:fs/promises";
import { join } from "node:path";
import { CodeModeError, type CodeModeTool } from "@code-mode/contract";
import { fieldsOf } from "./fields-of.ts";
import { GlobPattern, maxGlobLength } from "./glob-pattern.ts";
import type { Workspace, WorkspacePath } from "./workspace.ts";
import { WorkspaceFolder } from "./workspace-folder.ts";

const defaultLimit = 200;
const maxLimit = 1_000;
/** Entries looked at in one call; a workspace with more is searched folder by folder. */
const maxVisited = 50_000;
const skippedFolders: ReadonlySet<string> = new Set(["node_modules", ".git"]);

type FindInput = {
  readonly pattern: string;
  readonly path: string;
  readonly type: "file" | "directory";
  readonly limit: number;
};

/** The core tool `find`: paths of the workspace that match a pattern. */
export function createFindTool(workspace: Workspace): CodeModeTool {
  return {
    name: "find",
    label: "Find files",
    description:
      "Find workspace files by name: * and ? within a name, ** over folders, {a,b} for alternatives. Skips node_modules and .git, follows no symbolic links.",
    parameters: findParameters,
    outputSchema: findOutput,
    replaySafe: true,
    execute: async (input, { signal }) => {
      const { pattern = "", path = ".", type, limit = defaultLimit } = fieldsOf<FindInput>(input);
      if (pattern.length > maxGlobLength)
        throw new CodeModeError(
          "invalid_input",
          `pattern has ${pattern.length} characters, allowed are ${maxGlobLength}. Look for a part of it.`,
        );
      const start = await workspace.resolve(path);
      const walk = new Walk(workspace, {
        pattern: new GlobPattern(pattern),
        type,
        limit: Math.min(limit, maxLimit),
        signal,
      });
      const complete = await walk.visit(start, "");
      return { paths: walk.paths, truncated: !complete };
    },
  };
}

type WalkOptions = {
  readonly pattern: GlobPattern;
  readonly type: FindInput["type"] | undefined;
  readonly limit: number;
  readonly signal: AbortSignal;
};

class Walk {
  readonly paths: string[] = [];
  readonly #workspace: Workspace;
  readonly #options: WalkOptions;
  #visited = 0;

  constructor(workspace: Workspace, options: WalkOptions) {
    this.#workspace = workspace;
    this.#options = options;
  }

  /** False when a limit ended the walk. `inner` is the place relative to the start. */
  async visit(place: WorkspacePath, inner: string): Promise<boolean> {
    for (const entry of await this.#entries(place, inner === "")) {
      this.#options.signal.throwIfAborted();
      if (++this.#visited > maxVisited) return false;
      const path = inner === "" ? entry.name : `${inner}/${entry.name}`;
      const shown = place.shown === "." ? entry.name : `${place.shown}/${entry.name}`;
      if (this.#isWanted(entry) && this.#options.pattern.matches(path)) {
        if (this.paths.length >= this.#options.limit) return false;
        this.paths.push(shown);
      }
      if (!entry.isDirectory() || skippedFolders.has(entry.name)) continue;
      if (!(await this.visit({ absolute: join(place.absolute, entry.name), shown }, path))) return false;
    }
    return true;
  }

  #isWanted(entry: Dirent): boolean {
    const { type } = this.#options;
    return type === undefined || (type === "file" ? entry.isFile() : entry.isDirectory());
  }

  /** Sorted entries; a folder below the start that cannot be opened or has left the workspace holds nothing. */
  async #entries(place: WorkspacePath, isStart: boolean): Promise<Dirent[]> {
    try {
      await using folder = await WorkspaceFolder.open(this.#workspace, place);
      const entries: Dirent[] = [];
      for await (const entry of await opendir(folder.at("."))) {
        entries.push(entry);
        if (entries.length > maxVisited) break;
      }
      return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      if (isStart || !CodeModeError.is(error)) throw error;
      return [];
    }
  }
}

const findParameters = {
  type: "object",
  properties: {
    pattern: {
      type: "string",
      minLength: 1,
      description: 'Such as "*.ts" (any depth) or "src/**/*.test.ts" (from path).',
    },
    path: { type: "string", description: "Folder to look in, relative to the workspace. Default all of it." },
    type: { enum: ["file", "directory"], description: "Default both." },
    limit: { type: "integer", minimum: 1, maximum: maxLimit, description: `Most paths. Default ${defaultLimit}.` },
  },
  required: ["pattern"],
  additionalProperties: false,
};

const findOutput = {
  type: "object",
  properties: {
    paths: { type: "array", items: { type: "string" }, description: "Relative to the workspace." },
    truncated: { type: "boolean", description: "There may be more: a limit ended the search." },
  },
  required: ["paths", "truncated"],
  additionalProperties: false,
};
