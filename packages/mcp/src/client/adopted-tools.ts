import { createHash } from "node:crypto";
import type { CodeModeTool } from "@code-mode/contract";
import type { ToolList } from "./list-tools.ts";
import type { McpProblem } from "./parse-tool.ts";
import { buildServerTools, type ServerToolsOptions } from "./server-tools.ts";

/** The tools of one server as last listed; the arrays stay the same while nothing changed. */
export class AdoptedTools {
  readonly #base: Omit<ServerToolsOptions, "list" | "capabilities">;
  #tools: readonly CodeModeTool[] = [];
  #problems: readonly McpProblem[] = [];
  #hash = "";

  constructor(base: Omit<ServerToolsOptions, "list" | "capabilities">) {
    this.#base = base;
  }

  get tools(): readonly CodeModeTool[] {
    return this.#tools;
  }

  get problems(): readonly McpProblem[] {
    return this.#problems;
  }

  /** Takes a new list over; false when it says what the old one said. */
  adopt(list: ToolList, capabilities: ServerToolsOptions["capabilities"]): boolean {
    const hash = createHash("sha256")
      .update(JSON.stringify([list, capabilities]))
      .digest("hex");
    if (hash === this.#hash) return false;
    this.#hash = hash;
    this.#problems = list.problems;
    this.#tools = buildServerTools({ ...this.#base, list, capabilities });
    return true;
  }

  /** Notes a defect of the list itself; the tools stay. */
  addProblem(problem: string): void {
    this.#problems = [...this.#problems, { problem }];
    this.#hash = "";
  }

  /** A server that failed has no tools. */
  clear(): void {
    this.#tools = [];
    this.#problems = [];
    this.#hash = "";
  }
}
