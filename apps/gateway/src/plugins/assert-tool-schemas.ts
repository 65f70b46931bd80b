import { createRequire } from "node:module";
import { messageOf } from "@code-mode/contract";
import type { Ajv, ErrorObject, Options } from "ajv";
import type { PluginTool } from "./plugin-types.ts";

type AjvClass = new (options: Options) => Ajv;

/**
 * What is wrong with the schemas of a plugin's tools, one line each with its path: a schema that cannot be checked would
 * let every input through, and a provider refuses the whole request because of it.
 */
export function schemaFaults(tools: readonly PluginTool[]): readonly string[] {
  return tools.flatMap((tool, index) =>
    (["parameters", "outputSchema"] as const).flatMap((key) => {
      const fault = faultOf(tool[key]);
      return fault === undefined
        ? []
        : [`tools.${index}.${key}${fault.path}: tool ${tool.name} has an invalid JSON Schema (${fault.text})`];
    }),
  );
}

function faultOf(schema: unknown): { readonly path: string; readonly text: string } | undefined {
  if (schema === undefined || typeof schema === "boolean") return undefined;
  const ajv = createAjv(schema as { $schema?: unknown });
  try {
    if (ajv.validateSchema(schema as object) !== true) return describe(ajv.errors ?? []);
    ajv.compile(schema as object);
    return undefined;
  } catch (error) {
    return { path: "", text: messageOf(error) };
  }
}

/** The deepest complaint is about the place itself, not about the schema around it. */
function describe(errors: readonly ErrorObject[]): { readonly path: string; readonly text: string } {
  const [error] = [...errors].sort((a, b) => b.instancePath.length - a.instancePath.length);
  const values = (error?.params as { allowedValues?: readonly unknown[] } | undefined)?.allowedValues;
  const accepted = values === undefined ? "" : `: ${values.map(String).join(", ")}`;
  return {
    path: (error?.instancePath ?? "").replaceAll("/", ".").replaceAll("~1", "/").replaceAll("~0", "~"),
    text: `${error?.message ?? "it is no JSON Schema"}${accepted}`,
  };
}

/** Loaded when the first plugin has a tool: a validator costs time that other starts need not spend. */
function createAjv({ $schema }: { $schema?: unknown }): Ajv {
  const require = createRequire(import.meta.url);
  const old = typeof $schema === "string" && /draft-0[467]/.test($schema);
  const loaded = require(old ? "ajv" : "ajv/dist/2020.js") as { Ajv: AjvClass; Ajv2020: AjvClass };
  const options: Options = { strict: false, logger: false, validateFormats: false, addUsedSchema: false };
  return new (old ? loaded.Ajv : loaded.Ajv2020)(options);
}
