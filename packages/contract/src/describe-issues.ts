import type { z } from "zod";
import { describeFound } from "./describe-found.ts";
import { didYouMean } from "./nearest.ts";

const expectedTypes: { readonly [type: string]: string } = {
  number: "a finite number",
  array: "a list",
  object: "an object",
};

type DescribeOptions = { readonly input: unknown; readonly path: string; readonly known: readonly string[] };

/** One line per validation issue: path, what was found, what is accepted, nearest key. */
export function describeIssues(issues: readonly z.core.$ZodIssue[], options: DescribeOptions): string {
  return issues.map((issue) => describeIssue(issue, options)).join("\n");
}

function describeIssue(issue: z.core.$ZodIssue, { input, path, known }: DescribeOptions): string {
  const at = [path, ...issue.path.map(String)].join(".");
  if (issue.code === "unrecognized_keys") {
    return issue.keys
      .map((key) => `${at}.${key}: unknown key.${didYouMean(key, known)} Known keys: ${known.join(", ")}.`)
      .join("\n");
  }
  const found = issue.path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    input,
  );
  return `${at}: found ${describeFound(found)}, ${acceptedBy(issue)}.`;
}

function acceptedBy(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_value")
    return `accepted: ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
  if (issue.code === "invalid_type") return `expected ${expectedTypes[issue.expected] ?? `a ${issue.expected}`}`;
  return issue.message;
}
