import { CodeModeError, describeFound, didYouMean } from "@code-mode/contract";
import { z } from "zod";
import { schemaFaults } from "./assert-tool-schemas.ts";
import type { Plugin } from "./plugin-types.ts";

const aFunction = z.custom<(...args: never[]) => unknown>(
  (value) => typeof value === "function",
  "expected a function",
);
const jsonSchema = z.union([z.boolean(), z.looseObject({})], { error: "expected a JSON Schema object" });

const pluginTool = z.strictObject({
  name: z.string().min(1).max(128),
  label: z.string().optional(),
  description: z.string(),
  parameters: jsonSchema,
  outputSchema: jsonSchema.optional(),
  catalogMode: z.literal("direct-only").optional(),
  executionMode: z.enum(["parallel", "sequential"]).optional(),
  replaySafe: z.boolean().optional(),
  approval: z.enum(["never", "always"]).optional(),
  execute: aFunction,
});

const pluginSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9_-]*$/, "expected lower-case letters, digits, _ and -"),
  name: z.string().optional(),
  tools: z.array(pluginTool).optional(),
  hooks: z.strictObject({ before_tool_call: aFunction.optional(), after_tool_call: aFunction.optional() }).optional(),
  namespaces: z.array(z.unknown()).optional(),
  setup: aFunction.optional(),
  dispose: aFunction.optional(),
});

const knownKeys: Readonly<Record<string, readonly string[]>> = {
  "": Object.keys(pluginSchema.shape),
  tools: Object.keys(pluginTool.shape),
  hooks: ["before_tool_call", "after_tool_call"],
};
const reservedIds = ["core", "app", "bundle-mcp"];

/**
 * Checks the default export of a plugin module. The object itself is returned, so that `this` keeps working.
 * @param specifier how the configuration names the plugin, for messages
 * @throws CodeModeError `invalid_input` that names the faulty part
 */
export function parsePlugin(candidate: unknown, specifier: string): Plugin {
  if (typeof candidate !== "object" || candidate === null)
    throw invalid(
      specifier,
      `the default export is ${describeFound(candidate)}, expected an object such as {id, tools}`,
    );
  const parsed = pluginSchema.safeParse(candidate);
  if (!parsed.success)
    throw invalid(specifier, parsed.error.issues.map((issue) => describeIssue(issue, candidate)).join("; "));
  const plugin = candidate as Plugin;
  if (reservedIds.includes(plugin.id)) throw invalid(specifier, `the id ${plugin.id} is reserved; choose another one`);
  const names = (plugin.tools ?? []).map((tool) => tool.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw invalid(specifier, `the tool name ${twice} stands twice in ${plugin.id}; names must be unique in a plugin`);
  const faults = schemaFaults(plugin.tools ?? []);
  if (faults.length > 0) throw invalid(specifier, faults.join("; "));
  return plugin;
}

function describeIssue(issue: z.core.$ZodIssue, candidate: unknown): string {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    const known = knownKeys[path[0] ?? ""] ?? [];
    return issue.keys.map((key) => `${[...path, key].join(".")}: unknown key.${didYouMean(key, known)}`).join("; ");
  }
  const found = issue.path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
    candidate,
  );
  const expected = issue.code === "invalid_type" ? `expected ${issue.expected}` : issue.message;
  return `${path.join(".")}: found ${describeFound(found)}, ${expected}`;
}

function invalid(specifier: string, reason: string): CodeModeError {
  return new CodeModeError("invalid_input", `plugin ${specifier}: ${reason}.`);
}
