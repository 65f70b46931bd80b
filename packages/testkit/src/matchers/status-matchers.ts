import { asList } from "../json-guards.ts";
import { type Matcher, mismatch } from "./matcher.ts";

/** Matchers of the kind of result. */
export const statusMatchers: Readonly<Record<string, Matcher>> = {
  status: (expected, { seen: { result } }) =>
    result?.status === expected ? undefined : mismatch("status", expected, result ?? "no result"),
  statusOneOf: (expected, { seen: { result } }) =>
    asList(expected).includes(result?.status ?? "")
      ? undefined
      : mismatch("statusOneOf", expected, result ?? "no result"),
  code(expected, { seen: { result } }) {
    const found = result?.status === "failed" ? result.code : undefined;
    return found === expected ? undefined : mismatch("code", expected, found ?? result?.status ?? "no result");
  },
  reason(expected, { seen: { result } }) {
    const found = result?.status === "waiting" ? result.reason : undefined;
    return found === expected ? undefined : mismatch("reason", expected, found ?? "no reason");
  },
  allStatus: (expected, { seen }) => oddStatus("allStatus", [expected], seen.results),
  allStatusIn: (expected, { seen }) => oddStatus("allStatusIn", asList(expected), seen.results),
};

function oddStatus(
  name: string,
  allowed: readonly unknown[],
  results: readonly { status: string }[],
): string | undefined {
  const odd = results.find(({ status }) => !allowed.includes(status));
  if (results.length === 0) return `${name}: there is no result`;
  return odd === undefined ? undefined : mismatch(name, allowed, odd);
}
