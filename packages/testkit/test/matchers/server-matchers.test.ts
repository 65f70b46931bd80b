import type { JsonObject } from "@code-mode/contract";
import { expect, it } from "vitest";
import { completed } from "../fake-code-mode.ts";
import { outcomeOf } from "../observe.ts";

const heard = [
  { at: 1_000, method: "initialize", id: 0, params: {} },
  { at: 1_100, method: "tools/call", id: 3, params: { name: "f" } },
  { at: 1_400, method: "notifications/cancelled", id: null, params: { requestId: 3 } },
];

it.each<[JsonObject, string]>([
  [{ serverReceives: ["a cancellation of the call"] }, "pass"],
  [{ withinMs: 200 }, "pass"],
  [{ withinMs: 50 }, "fail"],
  [{ requests: { initialize: 1 } }, "pass"],
  [{ requests: { initialize: 2 } }, "fail"],
  [{ maxSpawns: 2 }, "pass"],
  [{ maxSpawns: 1 }, "fail"],
  [{ diagnosticMatches: "s: .*stdout" }, "pass"],
  [{ diagnosticMatches: "stderr" }, "fail"],
])("what servers heard and what is told of them: %j is a %s", (expected, outcome) => {
  const facts = { heard, abortedAt: 1_300, spawns: 2, diagnostics: ["s: noise on stdout"] };
  expect(outcomeOf(expected, completed(1), { facts })).toBe(outcome);
});

it("a cancellation of another request, or none, is no cancellation of the call", () => {
  const other = heard.map((message) => ({ ...message, params: { requestId: 4 } }));
  for (const messages of [other, heard.slice(0, 2), []])
    expect(outcomeOf({ serverReceives: ["x"] }, completed(1), { facts: { heard: messages } })).toBe("fail");
  expect(outcomeOf({ withinMs: 10_000 }, completed(1))).toBe("fail");
  expect(outcomeOf({ maxSpawns: 2 }, completed(1))).toBe("fail");
});
