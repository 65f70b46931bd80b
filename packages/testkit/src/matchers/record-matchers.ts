import type { JsonValue } from "@code-mode/contract";
import { asList, isJsonObject } from "../json-guards.ts";
import { jsonEqual } from "./json-equal.ts";
import { type Matcher, mismatch } from "./matcher.ts";

/** Matchers of what hooks and the record of calls saw. */
export const recordMatchers: Readonly<Record<string, Matcher>> = {
  executedArgs(expected, { seen: { calls } }) {
    const found = calls.map(({ input }) => input);
    return jsonEqual(found, expected) ? undefined : mismatch("executedArgs", expected, found);
  },
  hookEvents(expected, { seen }) {
    const events = asList(seen.facts.hookEvents);
    const missing = asList(expected).find((wanted) => !events.some((event) => isWantedEvent(event, wanted)));
    return missing === undefined ? undefined : mismatch("hookEvents", missing, events);
  },
  /** The record shows what ran, with what was asked beside it. */
  transcriptArgs(expected, { seen }) {
    const records = asList(seen.facts.records).filter(isJsonObject);
    const wrong = Object.entries(isJsonObject(expected) ? expected : {}).filter(
      ([tool, args]) =>
        !records.some((record) => record.tool === tool && jsonEqual(record.executedInput, args) && "input" in record),
    );
    return wrong.length === 0 ? undefined : mismatch("transcriptArgs", expected, records);
  },
};

/** `"set"` stands for any text. */
function isWantedEvent(event: JsonValue, wanted: JsonValue): boolean {
  if (!isJsonObject(event) || !isJsonObject(wanted)) return false;
  return Object.entries(wanted).every(([key, value]) =>
    value === "set" ? typeof event[key] === "string" && event[key] !== "" : jsonEqual(event[key], value),
  );
}
