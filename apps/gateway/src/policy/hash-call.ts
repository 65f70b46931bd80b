import { createHash } from "node:crypto";
import type { CodeModeTool, JsonValue, ToolRequest } from "@code-mode/contract";

/**
 * The hash that a grant is bound to (APR-2): session, tool id, everything the definition of the tool says, arguments.
 * Keys are sorted, so that only a change of content is a change.
 */
export function hashCall({ call, tool, input }: ToolRequest): string {
  const facts = [call.scope.sessionId, call.toolId, definitionOf(tool), input];
  return createHash("sha256").update(canonical(facts)).digest("hex");
}

/** The hash of everything that the definition of a tool says. */
export function hashDefinition(tool: CodeModeTool): string {
  return createHash("sha256")
    .update(canonical(definitionOf(tool)))
    .digest("hex");
}

function definitionOf(tool: CodeModeTool): JsonValue {
  return Object.fromEntries(Object.entries(tool).filter(([key]) => key !== "execute")) as JsonValue;
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
