import { codeModeLimits, type JsonValue } from "@code-mode/contract";
import { asList, isJsonObject } from "../json-guards.ts";
import { jsonContains } from "./json-equal.ts";
import { type Matcher, mismatch } from "./matcher.ts";

/** Matchers of what special actions collected: run ids and effective configurations. */
export const factMatchers: Readonly<Record<string, Matcher>> = {
  unique(expected, { seen }) {
    const distinct = new Set(asList(seen.facts.runIds)).size;
    return distinct === expected ? undefined : mismatch("unique", expected, distinct);
  },
  regex(expected, { seen }) {
    const odd = asList(seen.facts.runIds).find((runId) => !new RegExp(String(expected)).test(String(runId)));
    return odd === undefined ? undefined : mismatch("regex", expected, odd);
  },
  minEntropyBits(expected, { seen }) {
    const bits = entropyBits(asList(seen.facts.runIds).map(String));
    return bits >= Number(expected) ? undefined : mismatch("minEntropyBits", expected, bits);
  },
  effective(expected, { seen }) {
    const found = asList(seen.facts.effective);
    const wrong = asList(expected).findIndex((wanted, index) => !isEffective(found[index], wanted));
    return wrong < 0 ? undefined : mismatch(`effective[${wrong}]`, asList(expected)[wrong], found[wrong]);
  },
};

/** Sum over the positions of the entropy of the characters found there: a counter or clock stays low. */
function entropyBits(texts: readonly string[]): number {
  const length = Math.min(...texts.map((text) => text.length));
  let bits = 0;
  for (let at = 0; at < (Number.isFinite(length) ? length : 0); at++) {
    const counts = new Map<string, number>();
    for (const text of texts) counts.set(text[at] ?? "", (counts.get(text[at] ?? "") ?? 0) + 1);
    for (const count of counts.values()) bits -= (count / texts.length) * Math.log2(count / texts.length);
  }
  return Math.floor(bits);
}

/** Prose says that a refusal or the default will do. */
function isEffective(found: JsonValue | undefined, wanted: JsonValue): boolean {
  if (isJsonObject(wanted)) return jsonContains(found, wanted);
  if (typeof found === "string") return found.startsWith("config error");
  return jsonContains(found, { timeoutMs: codeModeLimits.timeoutMs.default });
}
