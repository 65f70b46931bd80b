import type { CodeModeTool, ToolSet } from "@code-mode/contract";
import { assertDistinctNames } from "./assert-distinct-names.ts";

/** What is known of a run once its policy has been applied. */
export type ActivationInput = {
  /** The effective `tools.codeMode.enabled`. */
  readonly enabled: boolean;
  /** The effective tools, after allow and deny. */
  readonly toolSet: ToolSet;
  /** The run has no tools on purpose: a raw model call or `disableTools: true`. */
  readonly disableTools?: boolean;
  /** The run has no tools on purpose: its `tools.allow` is empty. */
  readonly allowEmpty?: boolean;
};

/**
 * What the model of a run sees. `payloadEnforced` says whether each request must pass `assertPayload`.
 * - `none`: no tools at all, on purpose;
 * - `direct`: the effective tools as they are, unchanged and in the same list;
 * - `code`: `exec`, `wait` and `directTools`; everything else of `toolSet` goes into the catalog.
 */
export type Activation =
  | { readonly mode: "none"; readonly payloadEnforced: false; readonly tools: readonly [] }
  | { readonly mode: "direct"; readonly payloadEnforced: false; readonly tools: readonly CodeModeTool[] }
  | {
      readonly mode: "code";
      readonly payloadEnforced: true;
      readonly toolSet: ToolSet;
      readonly directTools: readonly CodeModeTool[];
    };

/** Core tools of the other compact surface: with code mode active they are neither visible nor catalogued (ACT-3). */
const toolSearchControls: ReadonlySet<string> = new Set([
  "tool_search_code",
  "tool_search",
  "tool_describe",
  "tool_call",
]);

/**
 * Decides how the tools of a run are shown (ACT-1 to ACT-3); pure.
 * @throws CodeModeError `invalid_input` for a direct-only tool named like a control or like another direct-only tool
 */
export function activate({ enabled, toolSet, disableTools, allowEmpty }: ActivationInput): Activation {
  if (disableTools === true || allowEmpty === true) return { mode: "none", payloadEnforced: false, tools: [] };
  if (!enabled || !toolSet.tools.some(isCatalogEligible))
    return { mode: "direct", payloadEnforced: false, tools: toolSet.tools };
  const directTools = toolSet.tools.filter(isDirectOnly);
  assertDistinctNames(directTools);
  return { mode: "code", payloadEnforced: true, toolSet: withoutToolSearch(toolSet), directTools };
}

function isDirectOnly(tool: CodeModeTool): boolean {
  return tool.catalogMode === "direct-only" && !isToolSearchControl(tool);
}

function isCatalogEligible(tool: CodeModeTool): boolean {
  return tool.catalogMode !== "direct-only" && !isToolSearchControl(tool);
}

/** A plugin or server may own a tool of such a name; only the core ones are controls. */
function isToolSearchControl(tool: CodeModeTool): boolean {
  return (tool.origin === undefined || tool.origin.kind === "core") && toolSearchControls.has(tool.name);
}

/** The same object where nothing is removed: catalogs are cached by it. */
function withoutToolSearch(toolSet: ToolSet): ToolSet {
  if (!toolSet.tools.some(isToolSearchControl)) return toolSet;
  return { ...toolSet, tools: toolSet.tools.filter((tool) => !isToolSearchControl(tool)) };
}
