import type { JsonValue } from "@code-mode/contract";
import type { Observation } from "../case-types.ts";
import { asList, isJsonObject } from "../json-guards.ts";
import { type Matcher, mismatch } from "./matcher.ts";

type Heard = {
  readonly at: number;
  readonly method: string;
  readonly id: JsonValue;
  readonly params: { readonly [key: string]: JsonValue };
};

/** Matchers of what MCP servers heard, and of what is told about them. */
export const serverMatchers: Readonly<Record<string, Matcher>> = {
  /** A line of what the model reads, or of what an operator reads about a server that works. */
  diagnosticMatches(expected, { seen }) {
    const told = [JSON.stringify(seen.results), ...asList(seen.facts.diagnostics).map(String)];
    const pattern = new RegExp(String(expected), "i");
    return told.some((line) => pattern.test(line)) ? undefined : mismatch("diagnosticMatches", expected, told);
  },
  maxSpawns(expected, { seen }) {
    const spawns = Number(seen.facts.spawns ?? Number.NaN);
    return spawns <= Number(expected) ? undefined : mismatch("maxSpawns", expected, spawns);
  },
  requests(expected, { seen }) {
    const wrong = Object.entries(isJsonObject(expected) ? expected : {}).filter(
      ([method, count]) => heardOf(seen).filter((message) => message.method === method).length !== count,
    );
    const found = heardOf(seen).map(({ method }) => method);
    return wrong.length === 0 ? undefined : mismatch("requests", expected, found);
  },
  serverReceives(expected, { seen }) {
    const call = callOf(seen);
    const cancelled = heardOf(seen).find(({ method }) => method === "notifications/cancelled");
    const isRight = call !== undefined && cancelled?.params.requestId === call.id;
    return isRight ? undefined : mismatch("serverReceives", expected, heardOf(seen));
  },
  /** Counted from the abort. */
  withinMs(expected, { seen, timeScale }) {
    const cancelled = heardOf(seen).find(({ method }) => method === "notifications/cancelled");
    const tookMs = cancelled === undefined ? Number.NaN : cancelled.at - Number(seen.facts.abortedAt ?? Number.NaN);
    return tookMs <= Number(expected) * timeScale ? undefined : mismatch("withinMs", expected, tookMs);
  },
};

function heardOf({ facts }: Observation): readonly Heard[] {
  return asList(facts.heard) as unknown as readonly Heard[];
}

function callOf(seen: Observation): Heard | undefined {
  return heardOf(seen).find(({ method }) => method === "tools/call");
}
