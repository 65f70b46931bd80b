import { stripTypeScriptTypes } from "node:module";
import type { Observation } from "../case-types.ts";
import { asList, isJsonObject } from "../json-guards.ts";
import { codeOnly } from "./code-only.ts";
import { type Matcher, mismatch } from "./matcher.ts";

/** Matchers of the declaration file of a server; a text that is not there matches nothing. */
export const declarationMatchers: Readonly<Record<string, Matcher>> = {
  declarationParses(expected, { seen }) {
    const text = declarationOf(seen);
    const problem = text === undefined ? "there is no declaration" : parseProblem(text);
    return (problem === undefined) === expected
      ? undefined
      : mismatch("declarationParses", expected, problem ?? "it parses");
  },
  declarationMatches(expected, { seen }) {
    const text = declarationOf(seen);
    const matches = text !== undefined && new RegExp(String(expected)).test(text);
    return matches ? undefined : mismatch("declarationMatches", expected, text ?? seen.result);
  },
  declaredNamesNever(expected, { seen }) {
    const text = declarationOf(seen);
    if (text === undefined) return mismatch("declaredNamesNever", expected, seen.result);
    const code = codeOnly(text);
    const declared = asList(expected).filter((name) => new RegExp(`\\b${String(name)}\\b`).test(code));
    return declared.length === 0 ? undefined : mismatch("declaredNamesNever", expected, declared);
  },
};

function declarationOf({ result }: Observation): string | undefined {
  const value = result?.status === "completed" ? result.value : undefined;
  if (typeof value === "string") return value;
  return isJsonObject(value) && typeof value.content === "string" ? value.content : undefined;
}

/** The parser of Node itself; it throws for what is no TypeScript. */
function parseProblem(text: string): string | undefined {
  try {
    stripTypeScriptTypes(text, { mode: "strip" });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
