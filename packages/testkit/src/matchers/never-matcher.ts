import { asList } from "../json-guards.ts";
import { brief, type MatchContext, type Matcher } from "./matcher.ts";

const lagProse = /^event loop lag over (\d+) ms in the parent$/;

/** Strings, or two faults told in prose, that must not show in anything the model is handed. */
export const neverMatchers: Readonly<Record<string, Matcher>> = {
  never(expected, context) {
    const found = asList(expected)
      .map(String)
      .filter((forbidden) => isPresent(forbidden, context));
    return found.length === 0
      ? undefined
      : `never: ${found.map(brief).join(", ")} showed in ${brief(context.seen.results)}`;
  },
};

function isPresent(forbidden: string, { seen, timeScale }: MatchContext): boolean {
  const shown = JSON.stringify(seen.results);
  const lag = lagProse.exec(forbidden);
  if (lag !== null) return seen.lagMs > Number(lag[1]) * timeScale;
  // the counters of every result have a field of this name; what must not be is a result that failed
  if (forbidden === "failed") return seen.results.some(({ status }) => status === "failed");
  if (forbidden === "lone surrogate") return /\\ud[89a-f][0-9a-f]{2}/i.test(shown);
  return shown.includes(unescaped(forbidden));
}

/** The data writes some characters as their escape, such as `\ufffd`. */
function unescaped(text: string): string {
  return text.replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
