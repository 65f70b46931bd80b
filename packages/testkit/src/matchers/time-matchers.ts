import type { JsonValue } from "@code-mode/contract";
import { type MatchContext, type Matcher, mismatch } from "./matcher.ts";

/** Matchers of time, in milliseconds. */
export const timeMatchers: Readonly<Record<string, Matcher>> = {
  elapsedMsMax: (expected, context) =>
    tooLong("elapsedMsMax", expected, { context, foundMs: sum(context.seen.elapsedMs) }),
  allElapsedMsMax: (expected, context) =>
    tooLong("allElapsedMsMax", expected, { context, foundMs: longest(context.seen.elapsedMs) }),
  waitAElapsedMsMax: (expected, context) =>
    tooLong("waitAElapsedMsMax", expected, {
      context,
      foundMs: Number(context.seen.facts.waitAElapsedMs ?? Number.NaN),
    }),
  parentEventLoopLagMaxMs: (expected, context) =>
    tooLong("parentEventLoopLagMaxMs", expected, { context, foundMs: context.seen.lagMs }),
  eventLoopLagMaxMs: (expected, context) =>
    tooLong("eventLoopLagMaxMs", expected, { context, foundMs: context.seen.lagMs }),
};

function tooLong(
  name: string,
  limit: JsonValue,
  { context, foundMs }: { context: MatchContext; foundMs: number },
): string | undefined {
  return foundMs <= Number(limit) * context.timeScale ? undefined : mismatch(name, limit, Math.round(foundMs));
}

/** Of no call at all nothing is known, which is within no limit. */
function longest(numbers: readonly number[]): number {
  return numbers.length === 0 ? Number.NaN : Math.max(...numbers);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, next) => total + next, 0);
}
