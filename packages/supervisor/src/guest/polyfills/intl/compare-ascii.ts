import { charCodeAt, fromCharCode } from "../captured.ts";
import { append, min } from "./captured-intl.ts";
import { collationKey, isDigit } from "./collation-key.ts";
import type { CollatorSettings } from "./collator.ts";

const asciiEnd = 128;
/** The base weight of each ASCII character; zero for control characters, which have none. */
const weights: readonly number[] = /* @__PURE__ */ asciiWeights();

function asciiWeights(): number[] {
  const found: number[] = [];
  for (let code = 0; code < asciiEnd; code++) {
    const { base } = collationKey(fromCharCode(code), { numeric: false, ignorePunctuation: false });
    append(found, base === "" ? 0 : charCodeAt(base, 0));
  }
  return found;
}

/**
 * Compares without building keys, which takes several times as long; programs sort thousands of names. Undefined when
 * a character comes before the decision that needs keys.
 */
export function compareAscii(left: string, right: string, settings: CollatorSettings): number | undefined {
  const { numeric, sensitivity, caseFirst, ignorePunctuation } = settings;
  if (ignorePunctuation) return undefined;
  let cases = 0;
  const shared = min(left.length, right.length);
  for (let index = 0; index < shared; index++) {
    const one = charCodeAt(left, index);
    const two = charCodeAt(right, index);
    if (one === two && one < asciiEnd && !numeric) continue;
    const difference = weightOf(one, numeric) - weightOf(two, numeric);
    // NaN when one of both has no weight.
    if (difference !== 0) return difference < 0 ? -1 : difference > 0 ? 1 : undefined;
    if (cases === 0 && one !== two) cases = one > two ? -1 : 1;
  }
  if (left.length !== right.length) return compareRest(left, right, numeric);
  if (sensitivity !== "variant" && sensitivity !== "case") return 0;
  return caseFirst === "upper" ? 0 - cases : cases;
}

/** One text starts with the other: the next character decides if it has a weight. */
function compareRest(left: string, right: string, numeric: boolean): number | undefined {
  const isLonger = left.length > right.length;
  const next = isLonger ? charCodeAt(left, right.length) : charCodeAt(right, left.length);
  if (!(weightOf(next, numeric) > 0)) return undefined;
  return isLonger ? 1 : -1;
}

function weightOf(code: number, numeric: boolean): number {
  if (code >= asciiEnd || (numeric && isDigit(code))) return 0 / 0;
  return (weights[code] as number) || 0 / 0;
}
