import type { JsonSchema } from "@code-mode/contract";
import { mcpLimits } from "./mcp-limits.ts";
import { oneLine } from "./one-line.ts";
import { findSchemaProblems } from "./schema-problems.ts";

/** A defect of one tool of a server; the other tools are not affected. */
export type McpProblem = {
  readonly tool?: string;
  /** What is wrong and what became of it. */
  readonly problem: string;
};

/** A tool of a server, whatever state it came in. */
export type ParsedTool = {
  readonly name: string;
  readonly label?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
};

type Raw = Readonly<Record<string, unknown>>;
const anyObject: JsonSchema = { type: "object" };
const maxNameLength = 256;

/** Reads one entry of `tools/list`; `undefined` when it cannot be called at all. Defects go to `problems`. */
export function parseTool(value: unknown, problems: McpProblem[]): ParsedTool | undefined {
  const raw = isObject(value) ? value : {};
  const name = raw.name;
  if (typeof name !== "string" || name === "" || name.length > maxNameLength) {
    problems.push({
      problem: `left out a tool whose name is ${describeName(name)}; a name has 1 to ${maxNameLength} characters`,
    });
    return undefined;
  }
  const report = (problem: string): void => void problems.push({ tool: name, problem });
  const label = text(raw.title) ?? (isObject(raw.annotations) ? text(raw.annotations.title) : undefined);
  if (typeof raw.description !== "string" && raw.description !== undefined)
    report("its description is no text and was dropped");
  if (isObject(raw.execution) && raw.execution.taskSupport === "required")
    report("it asks for task support, which is not offered; calls may fail");
  const outputSchema =
    raw.outputSchema === undefined ? undefined : parseSchema("outputSchema", raw.outputSchema, report);
  return {
    name,
    ...(label !== undefined && { label }),
    description: text(raw.description) ?? label ?? "",
    inputSchema: parseSchema("inputSchema", raw.inputSchema, report) ?? anyObject,
    ...(outputSchema !== undefined && { outputSchema }),
  };
}

function parseSchema(field: string, schema: unknown, report: (problem: string) => void): JsonSchema | undefined {
  if (schema === undefined) {
    report(`it has no ${field}; any object is accepted`);
    return undefined;
  }
  if (!isObject(schema)) {
    report(`its ${field} is no JSON Schema object and was dropped`);
    return undefined;
  }
  const { problems, endless } = findSchemaProblems(schema);
  for (const problem of problems) report(`its ${field} ${problem}`);
  // the walk comes first: JSON.stringify recurses
  if (endless || JSON.stringify(schema).length > mcpLimits.maxSchemaBytes) {
    report(`its ${field} is too deep or has more than ${mcpLimits.maxSchemaBytes} bytes and was dropped`);
    return undefined;
  }
  return schema;
}

function describeName(name: unknown): string {
  return typeof name === "string" ? (name === "" ? "empty" : oneLine(name, 40)) : "missing or no text";
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function isObject(value: unknown): value is Raw {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
