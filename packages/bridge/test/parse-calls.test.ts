import { CodeModeError } from "@code-mode/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bridgeCallKinds, parseCalls } from "../src/index.ts";

function violation(json: string, nextSequence = 1): CodeModeError {
  try {
    parseCalls(json, nextSequence);
  } catch (error) {
    if (CodeModeError.is(error)) return error;
    throw error;
  }
  throw new Error("the calls were accepted");
}

const row = (
  sequence: unknown,
  kind: unknown = "call",
  target: unknown = "openclaw:core:read",
  payload: unknown = {},
): unknown[] => [sequence, kind, target, payload];

describe("parseCalls", () => {
  it("a drain without calls is an empty text or an empty list", () => {
    expect(parseCalls("", 5)).toEqual([]);
    expect(parseCalls("[]", 5)).toEqual([]);
  });

  it("the calls of a drain keep their order, target and payload", () => {
    const json = JSON.stringify([row(7, "native", "read", { path: "a" }), row(8, "search", "files", { limit: 3 })]);
    expect(parseCalls(json, 7)).toEqual([
      { sequence: 7, kind: "native", target: "read", payload: { path: "a" } },
      { sequence: 8, kind: "search", target: "files", payload: { limit: 3 } },
    ]);
  });

  it.each(bridgeCallKinds)("the kind %s is known", (kind) => {
    expect(parseCalls(JSON.stringify([row(1, kind)]), 1)[0]?.kind).toBe(kind);
  });

  it.each([
    ["repeated", [row(1), row(1)]],
    ["repeated from an earlier drain", [row(0)]],
    ["out of order", [row(2), row(1)]],
    ["with a gap", [row(1), row(3)]],
    ["as text", [row("1")]],
    ["as a fraction", [row(1.5)]],
    ["missing", [row(null)]],
    ["as a list", [row([1])]],
    ["as an object that cannot become text", [row({ toString: 1, valueOf: 1 })]],
  ])("SEC-1 a sequence number that is %s ends the cell", (_how, rows) => {
    const error = violation(JSON.stringify(rows));
    expect(error.code).toBe("internal_error");
    expect(error.message).toContain("broke the bridge protocol");
  });

  it.each(["exec", "wait", "CALL", "", "constructor", "__proto__", "toString", 1, null, ["call"]])(
    "SEC-1 the invented kind %j ends the cell",
    (kind) => {
      expect(violation(JSON.stringify([row(1, kind)])).code).toBe("internal_error");
    },
  );

  it.each([1, null, {}, ["openclaw:core:read"]])("SEC-1 the target %j is no text and ends the cell", (target) => {
    expect(violation(JSON.stringify([row(1, "call", target)])).code).toBe("internal_error");
  });

  it.each([
    '{"0":[1,"call","x",{}]}',
    '"[]"',
    "1",
    "null",
    '[{"sequence":1}]',
    "[[1,2,3]]",
    '[[1,"call","x",{},0]]',
    "[null]",
  ])("SEC-1 %s has not the shape of calls and ends the cell", (json) => {
    expect(violation(json).code).toBe("internal_error");
  });

  it.each(["[", "undefined", '[[1,"call","x",{}]', "[]x"])("SEC-1 %s is no JSON and ends the cell", (json) => {
    expect(violation(json).code).toBe("internal_error");
  });

  it("SEC-1 no text makes it throw anything but a protocol violation", () => {
    const jsonish = fc.oneof(
      fc.string(),
      fc.json(),
      fc.array(fc.array(fc.jsonValue(), { maxLength: 5 })).map((rows) => JSON.stringify(rows)),
    );
    fc.assert(
      fc.property(jsonish, (json) => {
        try {
          parseCalls(json, 1);
        } catch (error) {
          expect(CodeModeError.is(error)).toBe(true);
        }
      }),
      { seed: 42, numRuns: 500 },
    );
  });

  it("SEC-1 the message of a violation stays short however much the guest sent", () => {
    expect(violation(JSON.stringify([row("9".repeat(100_000))])).message.length).toBeLessThan(500);
  });

  it("a target longer than any id or query is cut", () => {
    const [call] = parseCalls(JSON.stringify([row(1, "search", "x".repeat(5000))]), 1);
    expect(call?.target).toHaveLength(2048);
  });
});
