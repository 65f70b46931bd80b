import type { CodeModeResult, JsonObject, JsonValue } from "@code-mode/contract";
import {
  asList,
  type BugCase,
  type CaseReport,
  judge,
  type Matcher,
  mismatch,
  type Observation,
} from "@code-mode/testkit";
import type { CaseGateway } from "./case-gateway.ts";

/** What a case showed at a running gateway, and how the words of its expectation are judged there. */
export type PlayedCase = {
  readonly whole: Observation;
  readonly steps?: readonly Observation[];
  readonly words?: Readonly<Record<string, Matcher>>;
};

/** Plays one case; whatever it starts has ended when it returns. */
export type PlayCase = (bugCase: BugCase) => Promise<PlayedCase>;

/** What somebody saw who knows these results and the plugin's journal. */
export function seenOf(results: readonly (CodeModeResult | undefined)[], gateway?: CaseGateway): Observation {
  const known = results.filter((result) => result !== undefined);
  return {
    result: known.at(-1),
    results: known,
    elapsedMs: [],
    calls: gateway?.journal.calls ?? [],
    ledger: gateway?.journal.ledger ?? {},
    modelCalls: known.length,
    lagMs: 0,
    facts: {},
  };
}

/** A word that holds when `holds` says so of the expected value; `found` is shown when it does not. */
export function word(name: string, found: unknown, holds: (expected: JsonValue) => boolean): Record<string, Matcher> {
  return { [name]: (expected) => (holds(expected) ? undefined : mismatch(name, expected, found)) };
}

/** A word whose expected value must be equal to what was found. */
export function equalWord(name: string, found: JsonValue | undefined): Record<string, Matcher> {
  return word(name, found, (expected) => JSON.stringify(expected) === JSON.stringify(found));
}

/** `never` over this text; prose entries say themselves whether what they forbid is there. */
export function neverWord(text: string, prose: Readonly<Record<string, boolean>> = {}): Record<string, Matcher> {
  const shows = (forbidden: string): boolean => prose[forbidden] ?? text.includes(forbidden);
  return word("never", text, (expected) => !asList(expected).map(String).some(shows));
}

/** Judges a played case, or a part of one, by an expectation. */
export function judgePlayed(expected: JsonObject, { whole, steps, words }: PlayedCase, timeScale = 1): CaseReport {
  return judge(expected, { whole, steps: steps ?? [whole], timeScale, ...(words === undefined ? {} : { words }) });
}

/** Words of which each is a list with one expectation per variant. */
export function variantsWord(name: string, variants: readonly PlayedCase[]): Record<string, Matcher> {
  return {
    [name]: (expected, { timeScale }) => {
      const problems = asList(expected).flatMap((wanted, index) => {
        const variant = variants[index];
        if (variant === undefined) return [`variant ${index} was not played`];
        const report = judgePlayed(wanted as JsonObject, variant, timeScale);
        const bad = report.outcome === "fail" || report.outcome === "planned";
        return bad ? report.problems.map((problem) => `variant ${index}: ${problem}`) : [];
      });
      return problems.length === 0 ? undefined : problems.join("; ");
    },
  };
}
