import type { JsonValue } from "@code-mode/contract";
import type { Observation } from "../case-types.ts";
import { type Matcher, mismatch } from "./matcher.ts";

type Place = { readonly line: number; readonly column: number };

/** Matchers of what an error tells: its text, its hint and its place in the submitted source. */
export const messageMatchers: Readonly<Record<string, Matcher>> = {
  messageMatches(expected, { seen: { result } }) {
    const text = result?.status === "failed" ? [result.error, result.hint ?? ""].join("\n") : undefined;
    if (text === undefined) return mismatch("messageMatches", expected, result ?? "no result");
    return new RegExp(String(expected), "is").test(text) ? undefined : mismatch("messageMatches", expected, text);
  },
  hintMatches(expected, { seen: { result } }) {
    const hint = result?.hint ?? "";
    return new RegExp(String(expected), "is").test(hint) ? undefined : mismatch("hintMatches", expected, hint);
  },
  resultTextMatches(expected, { seen: { result } }) {
    return new RegExp(String(expected), "is").test(JSON.stringify(result) ?? "")
      ? undefined
      : mismatch("resultTextMatches", expected, result);
  },
  lineReported(expected, { seen }) {
    const line = placeOf(seen)?.line;
    return isWanted(line, expected) ? undefined : mismatch("lineReported", expected, line ?? seen.result);
  },
  columnReported(expected, { seen }) {
    const column = placeOf(seen)?.column;
    return isWanted(column, expected) ? undefined : mismatch("columnReported", expected, column ?? seen.result);
  },
};

function placeOf({ result }: Observation): Place | undefined {
  return result?.status === "failed" ? result.position : undefined;
}

/** A number, or a bound such as `">=46"`. */
function isWanted(found: number | undefined, expected: JsonValue): boolean {
  if (found === undefined) return false;
  const bound = /^(>=|<=)\s*(\d+)$/.exec(String(expected));
  if (bound === null) return found === expected;
  return bound[1] === ">=" ? found >= Number(bound[2]) : found <= Number(bound[2]);
}
