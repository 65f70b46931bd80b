import { describeFound, didYouMean, type JsonSchema } from "@code-mode/contract";
import type { ErrorObject } from "ajv";

/** One thing that is wrong with an input: where (`input.filters[0].name`) and what, in one sentence. */
export type SchemaProblem = { readonly path: string; readonly text: string };

/** More problems than this help nobody. */
const maxProblems = 5;
const maxListed = 30;

/** The problems that validation found, in schema order; those of single branches of a union are folded into one. */
export function describeSchemaErrors(errors: readonly ErrorObject[]): SchemaProblem[] {
  const unions = errors.filter((error) => error.keyword === "anyOf" || error.keyword === "oneOf");
  const outside = errors.filter(
    (error) => !unions.some((union) => union !== error && isInside(error, union)) && error.keyword !== "if",
  );
  const problems = (outside.length === 0 ? errors : outside).map(describeError);
  const seen = new Set<string>();
  return problems.filter((problem) => !seen.has(problem.text) && seen.add(problem.text)).slice(0, maxProblems);
}

/** Errors of a branch stand at or below the union's place; behind a reference they carry the path of the definition. */
function isInside(error: ErrorObject, union: ErrorObject): boolean {
  if (!error.instancePath.startsWith(union.instancePath)) return false;
  return error.schemaPath.startsWith(`${union.schemaPath}/`) || /^#\/(?:\$defs|definitions)\//.test(error.schemaPath);
}

function describeError(error: ErrorObject): SchemaProblem {
  const parent = (error.parentSchema ?? {}) as Record<string, unknown>;
  const params = error.params as Record<string, unknown>;
  const path = pathOf(error.instancePath);
  switch (error.keyword) {
    case "required":
      return describeMissing(path, String(params.missingProperty), parent);
    case "additionalProperties":
    case "unevaluatedProperties":
      return describeUnknown(path, String(params.additionalProperty ?? params.unevaluatedProperty), parent);
    case "enum":
      return problem(path, `must be one of ${listValues(params.allowedValues)}, found ${describeFound(error.data)}`);
    case "const":
      return problem(path, `must be ${JSON.stringify(params.allowedValue)}, found ${describeFound(error.data)}`);
    case "type":
      return problem(path, `must be ${listTypes(params.type)}, found ${describeFound(error.data)}`);
    case "anyOf":
    case "oneOf":
      return problem(path, `must be ${listBranches(error.schema)}, found ${describeFound(error.data)}`);
    case "uniqueItems":
      return problem(path, "must not hold equal items");
    default:
      return problem(path, `${error.message ?? "is not valid"}, found ${describeFound(error.data)}`);
  }
}

function problem(path: string, text: string): SchemaProblem {
  return { path, text: `${path} ${text}.` };
}

function describeMissing(parentPath: string, name: string, parent: Record<string, unknown>): SchemaProblem {
  const declared = (parent.properties as Record<string, JsonSchema> | undefined)?.[name];
  const expected = declared === undefined ? "" : ` (${typeText(declared)})`;
  return problem(member(parentPath, name), `is required${expected}`);
}

function describeUnknown(parentPath: string, name: string, parent: Record<string, unknown>): SchemaProblem {
  const known = Object.keys((parent.properties as object | undefined) ?? {});
  const allowed = known.length === 0 ? "no keys are allowed" : `allowed keys: ${shorten(known).join(", ")}`;
  return {
    path: member(parentPath, name),
    text: `${member(parentPath, name)} is not known; ${allowed}.${didYouMean(name, known)}`,
  };
}

/** `/filters/0/name` → `input.filters[0].name`. */
function pathOf(pointer: string): string {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce(member, "input");
}

function member(path: string, name: string): string {
  if (/^\d+$/.test(name)) return `${path}[${name}]`;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name.slice(0, 80))}]`;
}

function typeText(schema: JsonSchema): string {
  if (typeof schema === "boolean") return "any value";
  if (Array.isArray(schema.enum)) return `one of ${listValues(schema.enum)}`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const branches = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(branches)) return listBranches(branches);
  return schema.type === undefined ? "a value, see tools.describe" : listTypes(schema.type);
}

function listTypes(type: unknown): string {
  return (Array.isArray(type) ? type : [type]).map(String).join(" or ");
}

function listBranches(branches: unknown): string {
  const texts = (Array.isArray(branches) ? branches : []).map((branch) => typeText(branch as JsonSchema));
  return [...new Set(texts)].slice(0, maxListed).join(" or ");
}

function listValues(values: unknown): string {
  return shorten((Array.isArray(values) ? values : []).map((value) => JSON.stringify(value) ?? "null")).join(", ");
}

function shorten(items: readonly string[]): readonly string[] {
  return items.length <= maxListed ? items : [...items.slice(0, maxListed), `… +${items.length - maxListed} more`];
}
