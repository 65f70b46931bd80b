import { createHash } from "node:crypto";
import type { CodeModeTool } from "@code-mode/contract";
import type { ToolList } from "./list-tools.ts";
import type { McpProblem } from "./parse-tool.ts";
import { buildServerTools, type ServerToolsOptions } from "./server-tools.ts";
import { canonicalHash, type McpToolChange, PinnedDefinitions } from "./tool-changes.ts";

/** The tools of one server as last listed; arrays and unchanged tools stay the same objects. */
export class AdoptedTools {
  readonly #base: Omit<ServerToolsOptions, "list" | "capabilities">;
  /** One per tool: what its results lack shows only when it is called. */
  readonly #oddResults = new Map<string, McpProblem>();
  readonly #pins = new PinnedDefinitions();
  #built: ReadonlyMap<string, CodeModeTool> = new Map();
  #tools: readonly CodeModeTool[] = [];
  #problems: readonly McpProblem[] = [];
  #hash = "";

  constructor(base: Omit<ServerToolsOptions, "list" | "capabilities" | "onOddResult">) {
    this.#base = { ...base, onOddResult: (tool, problem) => void this.#oddResults.set(tool, { tool, problem }) };
  }

  get tools(): readonly CodeModeTool[] {
    return this.#tools;
  }

  get problems(): readonly McpProblem[] {
    return this.#oddResults.size === 0 ? this.#problems : [...this.#problems, ...this.#oddResults.values()];
  }

  /** Tools whose definition is not the one that was listed first (MCPC-3). */
  get changes(): readonly McpToolChange[] {
    return this.#pins.changes;
  }

  /** Takes a new list over; false when it says what the old one said. */
  adopt(list: ToolList, capabilities: ServerToolsOptions["capabilities"]): boolean {
    const hash = createHash("sha256")
      .update(JSON.stringify([list, capabilities]))
      .digest("hex");
    if (hash === this.#hash) return false;
    this.#hash = hash;
    this.#problems = list.problems;
    this.#oddResults.clear();
    this.#pins.compare(list.tools);
    this.#tools = this.#keepUnchanged(buildServerTools({ ...this.#base, list, capabilities }));
    return true;
  }

  /** Notes a defect of the list itself; the tools stay. */
  addProblem(problem: string): void {
    this.#problems = [...this.#problems, { problem }];
    this.#hash = "";
  }

  /** A server that failed has no tools; what it listed first is still remembered. */
  clear(): void {
    this.#tools = [];
    this.#problems = [];
    this.#oddResults.clear();
    this.#hash = "";
  }

  /** An operator started the server anew: whatever it lists next is what counts. */
  acceptChanges(): void {
    this.#pins.reset();
    this.#hash = "";
  }

  /** Compiled schemas and approvals hang on the objects. */
  #keepUnchanged(tools: readonly CodeModeTool[]): readonly CodeModeTool[] {
    const keyed = tools.map((tool) => [canonicalHash({ ...tool, execute: null }), tool] as const);
    const old = this.#built;
    const kept = keyed.map(([key, tool]) => [key, old.get(key) ?? tool] as const);
    this.#built = new Map(kept);
    return kept.map(([, tool]) => tool);
  }
}
