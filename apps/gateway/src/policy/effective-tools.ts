import type { CodeModeTool } from "@code-mode/contract";
import { matchesRule } from "./match-rule.ts";

/** For whom the rules of a level hold. */
export type PolicyLevelName = "global" | "agent" | "channel" | "sender" | "session" | "request" | "sandbox";

/** Allow and deny rules of one level: everybody, an agent, … */
export type PolicyLevel = {
  /** Default `global`. */
  readonly level?: PolicyLevelName;
  /** Where the rules stand in the configuration, for messages. */
  readonly path?: string;
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
};

/**
 * The tools that every level admits, in their order. A level can only narrow: a tool must be allowed by each level
 * (no allow list admits everything, an empty one nothing) and denied by none (POL-1).
 */
export function effectiveTools(
  tools: readonly CodeModeTool[],
  levels: readonly PolicyLevel[],
): readonly CodeModeTool[] {
  return tools.filter((tool) => isAllowed(tool, levels));
}

/** Whether every level admits this one tool. */
export function isAllowed(tool: CodeModeTool, levels: readonly PolicyLevel[]): boolean {
  return findRefusal(tool, levels) === undefined;
}

/** Where a tool is refused: the level, the key of the configuration, and the rule if one names the tool. */
export type PolicyRefusal = { readonly level: PolicyLevelName; readonly key: string; readonly rule?: string };

/** The first level that does not admit a tool, and by which rule; nothing for a tool that all admit. */
export function findRefusal(tool: CodeModeTool, levels: readonly PolicyLevel[]): PolicyRefusal | undefined {
  for (const { level = "global", path = "tools", allow, deny } of levels) {
    const rule = deny?.find((candidate) => matchesRule(tool, candidate));
    if (rule !== undefined) return { level, key: `${path}.deny`, rule };
    if (allow !== undefined && !allow.some((candidate) => matchesRule(tool, candidate)))
      return { level, key: `${path}.allow` };
  }
  return undefined;
}
