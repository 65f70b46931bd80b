import { createRequire } from "node:module";
import type { CodeModeTool, JsonSchema } from "@code-mode/contract";
import type { Ajv, Options, ValidateFunction } from "ajv";
import { boundedRegExp } from "./bounded-reg-exp.ts";
import { isCheapSchema } from "./schema-weight.ts";
import { uniqueItemsKeyword } from "./unique-items.ts";

/** A compiled schema: `first` stops at the first problem, `all` finds all of them and is compiled on first use. */
export type CompiledSchema = { readonly first: ValidateFunction; all(): ValidateFunction };

/**
 * Compiles a tool schema, or returns `undefined` for one that cannot be checked: broken references, older drafts,
 * invalid expressions, and untrusted schemas that would cost too much. Such a schema never blocks its tool.
 */
export function compileSchema(schema: JsonSchema, origin: CodeModeTool["origin"]): CompiledSchema | undefined {
  const trusted = origin === undefined || origin.kind === "core" || origin.kind === "plugin";
  if (!trusted && !isCheapSchema(schema)) return undefined;
  for (const draft of draftsOf(schema)) {
    const first = tryCompile(schema, { draft, trusted, allErrors: false });
    if (first === undefined) continue;
    let all: ValidateFunction | undefined;
    return {
      first,
      all: () => {
        all ??= tryCompile(schema, { draft, trusted, allErrors: true }) ?? first;
        return all;
      },
    };
  }
  return undefined;
}

type Draft = "2020" | "07";
type CompileOptions = { readonly draft: Draft; readonly trusted: boolean; readonly allErrors: boolean };

/** Tuples changed their form in 2020-12, so the other draft is tried too. */
function draftsOf(schema: JsonSchema): readonly Draft[] {
  const declared = typeof schema === "object" && typeof schema.$schema === "string" ? schema.$schema : "";
  return /draft-0[67]/.test(declared) ? ["07", "2020"] : ["2020", "07"];
}

function tryCompile(schema: JsonSchema, options: CompileOptions): ValidateFunction | undefined {
  // Outside the try: a validator that cannot be loaded must not pass for a schema that cannot be checked.
  const ajv = createAjv(options);
  try {
    return ajv.compile(schema);
  } catch {
    return undefined;
  }
}

/** One instance per schema: two tools may claim one `$id`, and an instance keeps everything it ever compiled. */
function createAjv({ draft, trusted, allErrors }: CompileOptions): Ajv {
  const options: Options = {
    strict: false,
    allErrors,
    verbose: true,
    logger: false,
    validateFormats: false,
    validateSchema: false,
    meta: false,
    addUsedSchema: false,
    code: { regExp: trusted ? boundedRegExp : acceptEverything },
  };
  const ajv = loadAjv(draft, options);
  ajv.removeKeyword("uniqueItems").addKeyword(uniqueItemsKeyword);
  if (!trusted) ajv.removeKeyword("patternProperties").addKeyword("patternProperties");
  return ajv;
}

/** Expressions of an untrusted server never run here: one with catastrophic backtracking would stop the process. */
const acceptEverything = Object.assign(() => ({ test: () => true }), { code: "" });

type AjvClass = new (options: Options) => Ajv;

/** The validator takes a third of the time of a cold start, so it is loaded when the first schema is checked. */
function loadAjv(draft: Draft, options: Options): Ajv {
  const require = createRequire(import.meta.url);
  const loaded = require(draft === "2020" ? "ajv/dist/2020.js" : "ajv") as { Ajv2020: AjvClass; Ajv: AjvClass };
  const Class = draft === "2020" ? loaded.Ajv2020 : loaded.Ajv;
  return new Class(options);
}
