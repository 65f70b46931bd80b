import type { CodeModeTool, JsonSchema, JsonValue } from "@code-mode/contract";
import { type CompiledSchema, compileSchema } from "./compile-schema.ts";
import { describeSchemaErrors, type SchemaProblem } from "./describe-schema-errors.ts";

/** What a check found; `unchecked` means that the schema cannot be checked, which never blocks. */
export type SchemaCheck =
  | { readonly type: "valid" }
  | { readonly type: "unchecked" }
  | { readonly type: "invalid"; readonly problems: readonly SchemaProblem[] };

/** Larger values get the first problem only: listing all of them costs memory that follows guest data. */
const maxBytesForAllProblems = 64 * 1024;

type Compiled = { input?: CompiledSchema | "unchecked"; output?: CompiledSchema | "unchecked" };

/** Checks inputs and outputs against tool schemas; each schema is compiled once per tool object. */
export class SchemaValidator {
  readonly #compiled = new WeakMap<CodeModeTool, Compiled>();

  /** Checks the input; a tool without a schema takes any object. */
  checkInput(tool: CodeModeTool, input: JsonValue): SchemaCheck {
    return this.#check(tool, "input", input);
  }

  /** Checks the output of a tool that declares one. */
  checkOutput(tool: CodeModeTool, output: JsonValue): SchemaCheck {
    return tool.outputSchema === undefined ? { type: "valid" } : this.#check(tool, "output", output);
  }

  #check(tool: CodeModeTool, side: keyof Compiled, value: JsonValue): SchemaCheck {
    const compiled = this.#compile(tool, side);
    if (compiled === "unchecked") return { type: "unchecked" };
    try {
      return validate(compiled, value);
    } catch {
      // A recursive schema can overflow the stack on a deep value; that is the schema's fault, not the caller's.
      return { type: "unchecked" };
    }
  }

  #compile(tool: CodeModeTool, side: keyof Compiled): CompiledSchema | "unchecked" {
    const known = this.#compiled.get(tool) ?? {};
    this.#compiled.set(tool, known);
    known[side] ??= compileSchema(schemaOf(tool, side), tool.origin) ?? "unchecked";
    return known[side];
  }
}

function schemaOf(tool: CodeModeTool, side: keyof Compiled): JsonSchema {
  const schema: unknown = side === "input" ? tool.parameters : tool.outputSchema;
  return (schema ?? { type: "object" }) as JsonSchema;
}

function validate(compiled: CompiledSchema, value: JsonValue): SchemaCheck {
  if (compiled.first(value)) return { type: "valid" };
  const text = JSON.stringify(value);
  if (text.length <= maxBytesForAllProblems) {
    const all = compiled.all();
    if (!all(value)) return { type: "invalid", problems: describeSchemaErrors(all.errors ?? []) };
  }
  return { type: "invalid", problems: describeSchemaErrors(compiled.first.errors ?? []) };
}
