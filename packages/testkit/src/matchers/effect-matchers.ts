import type { JsonValue } from "@code-mode/contract";
import type { Observation } from "../case-types.ts";
import { isJsonObject } from "../json-guards.ts";
import { jsonEqual } from "./json-equal.ts";
import { type Matcher, mismatch } from "./matcher.ts";

/** Matchers of what ran on the host and of how many model calls it took. */
export const effectMatchers: Readonly<Record<string, Matcher>> = {
  toolCalls: (expected, { seen }) => wrongCounts("toolCalls", expected, seen),
  toolExecutions: (expected, { seen }) => wrongCounts("toolExecutions", expected, seen),
  ledger: (expected, { seen: { ledger } }) =>
    jsonEqual(ledger, expected) ? undefined : mismatch("ledger", expected, ledger),
  ledgerSize(expected, { seen: { ledger } }) {
    return Object.keys(ledger).length === expected ? undefined : mismatch("ledgerSize", expected, ledger);
  },
  wire(expected, { seen: { calls } }) {
    const tool = isJsonObject(expected) ? expected.tool : undefined;
    return calls.length === 0 || calls.every((call) => call.tool === tool)
      ? undefined
      : mismatch("wire", expected, calls);
  },
  wireArgs(expected, { seen: { calls } }) {
    const wanted = isJsonObject(expected) ? Object.entries(expected) : [];
    const wrong = calls.filter(({ tool, input }) =>
      wanted.some(([name, args]) => name === tool && !jsonEqual(input, args)),
    );
    return wrong.length === 0 ? undefined : mismatch("wireArgs", expected, wrong);
  },
  modelToolCalls: (expected, { seen: { modelCalls } }) =>
    modelCalls === expected ? undefined : mismatch("modelToolCalls", expected, modelCalls),
  modelToolCallsMax: (expected, { seen: { modelCalls } }) =>
    modelCalls <= Number(expected) ? undefined : mismatch("modelToolCallsMax", expected, modelCalls),
};

/** `0` means that no tool ran at all; an object counts the tools it names. */
function wrongCounts(name: string, expected: JsonValue, { calls }: Observation): string | undefined {
  if (!isJsonObject(expected)) return calls.length === expected ? undefined : mismatch(name, expected, calls);
  const counted = Object.fromEntries(
    Object.keys(expected).map((tool) => [tool, calls.filter((call) => call.tool === tool).length]),
  );
  return jsonEqual(counted, expected) ? undefined : mismatch(name, expected, counted);
}
