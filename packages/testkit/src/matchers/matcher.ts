import type { JsonValue } from "@code-mode/contract";
import type { Observation } from "../case-types.ts";

/** What a matcher judges with: times are multiplied by `timeScale`. */
export type MatchContext = { readonly seen: Observation; readonly timeScale: number };

/** Compares one expectation with what was seen; returns what is wrong, or undefined. */
export type Matcher = (expected: JsonValue, context: MatchContext) => string | undefined;

/** A JSON text short enough for a problem line; the counters of a result are left out. */
export function brief(value: unknown): string {
  const text =
    JSON.stringify(value, (key, member: unknown) => (key === "telemetry" ? undefined : member)) ?? String(value);
  return text.length > 300 ? `${text.slice(0, 300)}… (${text.length} characters)` : text;
}

/** The problem line of an expectation that does not hold. */
export function mismatch(name: string, expected: unknown, found: unknown): string {
  return `${name}: expected ${brief(expected)}, found ${brief(found)}`;
}
