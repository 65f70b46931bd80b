import { createHash } from "node:crypto";
import { mcpLimits } from "./mcp-limits.ts";
import type { ParsedTool } from "./parse-tool.ts";

/** What a definition consists of for those who approve a call of the tool. */
export type McpToolField = "description" | "parameters" | "outputSchema";

/** A tool that no longer is what it was when the server first listed it (MCPC-3). */
export type McpToolChange = {
  readonly tool: string;
  readonly fields: readonly McpToolField[];
  /** SHA-256 of the definition as first listed, and as it is now. */
  readonly oldHash: string;
  readonly newHash: string;
};

/** Hashes, because texts of thousands of tools are megabytes. */
type Definition = { readonly [Field in McpToolField]: string };

const fields: readonly McpToolField[] = ["description", "parameters", "outputSchema"];

/** Remembers how each tool of a server was first listed; names that came first stay when a list has too many. */
export class PinnedDefinitions {
  readonly #pins = new Map<string, Definition>();
  #changes: readonly McpToolChange[] = [];

  /** Tools that differ from their first definition, by name. */
  get changes(): readonly McpToolChange[] {
    return this.#changes;
  }

  /** Compares a new list with what was there first; pins what is new. */
  compare(tools: readonly ParsedTool[]): void {
    this.#changes = tools.flatMap((tool) => this.#compareTool(tool) ?? []);
  }

  /** The next list counts as the first one. */
  reset(): void {
    this.#pins.clear();
    this.#changes = [];
  }

  #compareTool(tool: ParsedTool): McpToolChange | undefined {
    const now = definitionOf(tool);
    const pinned = this.#pins.get(tool.name);
    if (pinned === undefined) {
      if (this.#pins.size < mcpLimits.maxListItems) this.#pins.set(tool.name, now);
      return undefined;
    }
    const changed = fields.filter((field) => pinned[field] !== now[field]);
    if (changed.length === 0) return undefined;
    return { tool: tool.name, fields: changed, oldHash: hashOf(tool.name, pinned), newHash: hashOf(tool.name, now) };
  }
}

/** One line for operators: which tools changed, and in what. */
export function describeChanges(changes: readonly McpToolChange[]): string {
  const shown = changes.slice(0, 3).map(({ tool, fields: changed }) => `${tool} (${changed.join(", ")})`);
  const more = changes.length > shown.length ? ` and ${changes.length - shown.length} more` : "";
  return `tools changed since they were first listed: ${shown.join(", ")}${more}; approvals given before count no longer`;
}

/** SHA-256 that is equal for equal JSON, in whatever order a server writes its keys. */
export function canonicalHash(value: unknown): string {
  const text = JSON.stringify(value, (_key, item: unknown) => (isPlain(item) ? sorted(item) : item)) ?? "";
  return createHash("sha256").update(text).digest("hex");
}

function definitionOf(tool: ParsedTool): Definition {
  return {
    description: canonicalHash(tool.description),
    parameters: canonicalHash(tool.inputSchema),
    outputSchema: canonicalHash(tool.outputSchema),
  };
}

function hashOf(name: string, definition: Definition): string {
  return canonicalHash([name, ...fields.map((field) => definition[field])]);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sorted(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
