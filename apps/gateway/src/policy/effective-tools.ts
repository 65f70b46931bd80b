import type { CodeModeTool } from "@code-mode/contract";
import { matchesRule } from "./match-rule.ts";

/** Allow and deny rules of one level: everybody, an agent, … */
export type PolicyLevel = {
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
  return levels.every(
    ({ allow, deny }) =>
      (allow === undefined || allow.some((rule) => matchesRule(tool, rule))) &&
      deny?.some((rule) => matchesRule(tool, rule)) !== true,
  );
}
