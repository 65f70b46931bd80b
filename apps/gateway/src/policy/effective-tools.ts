import type { CodeModeTool } from "@code-mode/contract";
import { matchesRule } from "./match-rule.ts";

/** Allow and deny rules of one level: everybody, an agent, … */
export type PolicyLevel = {
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
  return levels.every(
    ({ allow, deny }) =>
      (allow === undefined || allow.some((rule) => matchesRule(tool, rule))) &&
      deny?.some((rule) => matchesRule(tool, rule)) !== true,
  );
}

/** Where a tool is refused: the key of the configuration, and the rule if one names the tool. */
export type PolicyRefusal = { readonly key: string; readonly rule?: string };

/** The first level that does not admit a tool, and by which rule; nothing for a tool that all admit. */
export function findRefusal(tool: CodeModeTool, levels: readonly PolicyLevel[]): PolicyRefusal | undefined {
  for (const { path = "tools", allow, deny } of levels) {
    const rule = deny?.find((candidate) => matchesRule(tool, candidate));
    if (rule !== undefined) return { key: `${path}.deny`, rule };
    if (allow !== undefined && !allow.some((candidate) => matchesRule(tool, candidate)))
      return { key: `${path}.allow` };
  }
  return undefined;
}
