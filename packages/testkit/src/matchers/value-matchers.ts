import type { JsonValue } from "@code-mode/contract";
import type { Observation } from "../case-types.ts";
import { asList } from "../json-guards.ts";
import { jsonContains, jsonEqual } from "./json-equal.ts";
import { type Matcher, mismatch } from "./matcher.ts";

/** An alternative of `valueOneOf` that is a pattern instead of a value. */
const patternPrefix = "~matches: ";

/** Matchers of the returned value; a result without one has the value `undefined`, which equals nothing. */
export const valueMatchers: Readonly<Record<string, Matcher>> = {
  value(expected, { seen }) {
    const found = completedValue(seen);
    return jsonEqual(found, expected) ? undefined : mismatch("value", expected, found ?? seen.result);
  },
  valueOneOf(expected, { seen }) {
    const found = completedValue(seen);
    return asList(expected).some((option) => isOption(found, option))
      ? undefined
      : mismatch("valueOneOf", expected, found ?? seen.result);
  },
  valueSubset(expected, { seen }) {
    const found = completedValue(seen);
    return jsonContains(found, expected) ? undefined : mismatch("valueSubset", expected, found ?? seen.result);
  },
  valueMatches: (expected, { seen }) => unmatchedValue("valueMatches", expected, seen),
  valueTextMatches: (expected, { seen }) => unmatchedValue("valueTextMatches", expected, seen),
  valueLength(expected, { seen }) {
    const found = completedValue(seen);
    const length = typeof found === "string" || Array.isArray(found) ? found.length : undefined;
    return length === expected ? undefined : mismatch("valueLength", expected, length ?? found);
  },
  valueRange(expected, { seen }) {
    const found = completedValue(seen);
    const [low, high] = asList(expected).map(Number);
    const inside = typeof found === "number" && found >= (low ?? Number.NaN) && found <= (high ?? Number.NaN);
    return inside ? undefined : mismatch("valueRange", expected, found ?? seen.result);
  },
  valueTextMax(expected, { seen }) {
    const length = JSON.stringify(completedValue(seen) ?? null).length;
    return length <= Number(expected) ? undefined : mismatch("valueTextMax", expected, length);
  },
  valuesDiffer(_, { seen }) {
    const values = asList(seen.facts.values);
    const distinct = new Set(values.map((value) => JSON.stringify(value)));
    const differ = values.length > 1 && distinct.size === values.length && !values.includes(null);
    return differ ? undefined : mismatch("valuesDiffer", "values that differ", values);
  },
};

function completedValue({ result }: Observation): JsonValue | undefined {
  return result?.status === "completed" ? result.value : undefined;
}

function isOption(found: JsonValue | undefined, option: JsonValue): boolean {
  if (found !== undefined && typeof option === "string" && option.startsWith(patternPrefix))
    return new RegExp(option.slice(patternPrefix.length), "is").test(JSON.stringify(found));
  return jsonEqual(found, option);
}

/** A string value is tried bare and as JSON text, anything else as JSON text. */
function unmatchedValue(name: string, pattern: JsonValue, seen: Observation): string | undefined {
  const found = completedValue(seen);
  if (found === undefined) return mismatch(name, pattern, seen.result);
  const texts = [JSON.stringify(found), ...(typeof found === "string" ? [found] : [])];
  return texts.some((text) => new RegExp(String(pattern), "s").test(text)) ? undefined : mismatch(name, pattern, found);
}
