import { describeFound, didYouMean } from "@code-mode/contract";
import type { z } from "zod";
import { gatewayConfigJsonSchema } from "./config-schema.ts";
import type { KeyPath, ParsedText } from "./parse-config-text.ts";

type Schema = { readonly [key: string]: unknown };

/** One line per fault: file, line, key path, what was found, what is accepted, nearest valid key. */
export function describeConfigIssues(issues: readonly z.core.$ZodIssue[], file: string, text: ParsedText): string {
  return issues.flatMap((issue) => describeIssue(issue, file, text)).join("\n");
}

/** `file:line: key.path`, the way every message about a configuration file starts. */
export function placeOf(file: string, text: ParsedText, path: KeyPath): string {
  const line = text.lineOf(path);
  const name = path.length === 0 ? "the file" : path.join(".");
  return `${file}${line === undefined ? "" : `:${line}`}: ${name}`;
}

function describeIssue(issue: z.core.$ZodIssue, file: string, text: ParsedText): string[] {
  const path = issue.path.map((part) => (typeof part === "number" ? part : String(part)));
  if (issue.code === "unrecognized_keys") {
    const known = knownKeys(path);
    const rest = known.length === 0 ? "" : ` Known keys: ${known.join(", ")}.`;
    return issue.keys.map(
      (key) => `${placeOf(file, text, [...path, key])}: unknown key.${didYouMean(key, known)}${rest}`,
    );
  }
  if (issue.code === "invalid_union") {
    const nested = bestBranch(issue.errors, valueAt(text.value, path));
    if (nested)
      return nested.flatMap((inner) => describeIssue({ ...inner, path: [...path, ...inner.path] }, file, text));
  }
  return [`${placeOf(file, text, path)}: found ${describeFound(valueAt(text.value, path))}, ${acceptedBy(issue)}.`];
}

/** Of a union's complaints the ones of the branch that the user meant: for an object, not "expected boolean". */
function bestBranch(branches: readonly z.core.$ZodIssue[][], found: unknown): z.core.$ZodIssue[] | undefined {
  if (typeof found !== "object" || found === null) return undefined;
  return branches.find((issues) => issues.some((issue) => issue.path.length > 0 || issue.code === "unrecognized_keys"));
}

function acceptedBy(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_value")
    return `accepted: ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
  if (issue.code === "invalid_type") return `expected ${issue.expected === "record" ? "object" : issue.expected}`;
  if (issue.code === "invalid_union") return "expected true, false or an object of options";
  return issue.message;
}

function valueAt(value: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value);
}

/** Keys that an object at this path may have, read from the published schema. */
function knownKeys(path: KeyPath): string[] {
  let at: Schema | undefined = gatewayConfigJsonSchema();
  for (const key of path) at = at && childOf(at, key);
  return at === undefined ? [] : Object.keys(objectBranch(at)?.properties ?? {});
}

function childOf(schema: Schema, key: string | number): Schema | undefined {
  if (typeof key === "number") return schema.items as Schema | undefined;
  const branch = objectBranch(schema);
  const properties = branch?.properties as Record<string, Schema> | undefined;
  if (properties && Object.hasOwn(properties, key)) return properties[key];
  return typeof branch?.additionalProperties === "object" ? (branch.additionalProperties as Schema) : undefined;
}

function objectBranch(schema: Schema): Schema | undefined {
  if (schema.type === "object") return schema;
  const branches = (schema.anyOf ?? []) as Schema[];
  return branches.find((branch) => branch.type === "object");
}
