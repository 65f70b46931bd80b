import type { CodeModeTool } from "@code-mode/contract";

/** Whether two tools promise the same: name, description and schemas, in whatever order their keys stand. */
export function hasSameDefinition(one: CodeModeTool, other: CodeModeTool): boolean {
  return one === other || definitionText(one) === definitionText(other);
}

function definitionText({ name, description, parameters, outputSchema }: CodeModeTool): string {
  return JSON.stringify([name, description, parameters, outputSchema], (_key, item: unknown) =>
    isRecord(item) ? sortKeys(item) : item,
  );
}

function isRecord(item: unknown): item is Record<string, unknown> {
  return typeof item === "object" && item !== null && !Array.isArray(item);
}

function sortKeys(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
