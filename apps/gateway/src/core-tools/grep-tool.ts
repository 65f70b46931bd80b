import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { CodeModeError, type CodeModeTool } from "@code-mode/contract";
import { fieldsOf } from "./fields-of.ts";
import type { GrepJob, GrepReport } from "./grep-files.ts";
import type { Workspace } from "./workspace.ts";

/** Soft end of a search: what was found until then is returned. */
const searchBudgetMs = 4_000;
/** Hard end: a pattern can take exponential time on one line, and only ending the thread stops it. */
const hardBudgetMs = 6_000;
const defaultMatches = 100;
const maxMatches = 500;

type GrepInput = {
  readonly pattern: string;
  readonly path: string;
  readonly ignoreCase: boolean;
  readonly limit: number;
};

/** Bounds that tests may shorten. */
export type GrepBudget = { readonly searchMs: number; readonly hardMs: number };

/** The core tool `grep`: lines of workspace files that match a regular expression. */
export function createGrepTool(
  workspace: Workspace,
  budget: GrepBudget = { searchMs: searchBudgetMs, hardMs: hardBudgetMs },
): CodeModeTool {
  return {
    name: "grep",
    label: "Search files",
    description:
      "Search workspace files for a JavaScript regular expression, line by line. Skips node_modules, .git, binary files and symbolic links.",
    parameters: grepParameters,
    outputSchema: grepOutput,
    replaySafe: true,
    execute: async (input, { signal }) => {
      const { pattern = "", path = ".", ignoreCase = false, limit = defaultMatches } = fieldsOf<GrepInput>(input);
      assertPattern(pattern);
      const start = await workspace.resolve(path);
      const job: GrepJob = {
        root: await workspace.realRoot(),
        closed: await workspace.closedFolders(),
        start: start.absolute,
        shown: start.shown,
        pattern,
        flags: ignoreCase ? "iu" : "u",
        limit: Math.min(limit, maxMatches),
        budgetMs: budget.searchMs,
      };
      return runInThread(job, { signal, hardMs: budget.hardMs });
    },
  };
}

function assertPattern(pattern: string): void {
  if (pattern.length > 1_000)
    throw new CodeModeError("invalid_input", "pattern: longer than 1,000 characters. Search for a part of it.");
  try {
    new RegExp(pattern, "u");
  } catch (error) {
    throw new CodeModeError(
      "invalid_input",
      `pattern: ${(error as Error).message}. Escape special characters with a backslash.`,
    );
  }
}

/** Searches in a thread of its own, so that a hostile pattern can be ended and the event loop never waits for it. */
async function runInThread(
  job: GrepJob,
  { signal, hardMs }: { signal: AbortSignal; hardMs: number },
): Promise<GrepReport> {
  signal.throwIfAborted();
  const file = new URL(`./grep-worker${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(file, { workerData: job, resourceLimits: { maxOldGenerationSizeMb: 256 } });
  const { promise, resolve, reject } = Promise.withResolvers<GrepReport>();
  worker.once("message", resolve);
  worker.once("error", reject);
  worker.once("exit", () => reject(new CodeModeError("internal_error", "the search thread ended without an answer.")));
  const tooSlow = new CodeModeError(
    "timeout",
    "pattern: one line took too long to match. Use a pattern without nested repetition, or a narrower path.",
  );
  const timer = setTimeout(() => reject(tooSlow), hardMs);
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
    await worker.terminate();
  }
}

const grepParameters = {
  type: "object",
  properties: {
    pattern: { type: "string", minLength: 1, description: "Regular expression, JavaScript syntax." },
    path: { type: "string", description: "File or folder to search, relative to the workspace. Default all of it." },
    ignoreCase: { type: "boolean" },
    limit: {
      type: "integer",
      minimum: 1,
      maximum: maxMatches,
      description: `Most matches returned. Default ${defaultMatches}.`,
    },
  },
  required: ["pattern"],
  additionalProperties: false,
};

const grepOutput = {
  type: "object",
  properties: {
    matches: {
      type: "array",
      items: {
        type: "object",
        properties: { path: { type: "string" }, line: { type: "integer" }, text: { type: "string" } },
        required: ["path", "line", "text"],
      },
    },
    filesSearched: { type: "integer" },
    truncated: { type: "boolean", description: "There may be more: limit, time or size ended the search." },
  },
  required: ["matches", "filesSearched", "truncated"],
};
