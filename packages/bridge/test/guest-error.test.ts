import { CodeModeError, type GuestError } from "@code-mode/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toGuestError } from "../src/index.ts";

const guestKeys = ["name", "message", "code", "toolId", "details"];

function assertPlain(error: GuestError): void {
  expect(Object.keys(error).every((key) => guestKeys.includes(key))).toBe(true);
  expect([typeof error.name, typeof error.message, typeof error.code]).toEqual(["string", "string", "string"]);
  expect(error.name).not.toBe("");
  expect(error.code).not.toBe("");
  expect(JSON.parse(JSON.stringify(error))).toEqual(error);
}

describe("toGuestError", () => {
  it("NEST-4 an error keeps name, message, code and plain details", () => {
    const thrown = Object.assign(new TypeError("no such path"), { code: "ENOENT", details: { path: "a.txt" } });
    expect(toGuestError(thrown)).toEqual({
      name: "TypeError",
      message: "no such path",
      code: "ENOENT",
      details: { path: "a.txt" },
    });
  });

  it("NEST-4 an error of the project is a plain Error with its code", () => {
    const thrown = new CodeModeError("tool_error", "unknown tool", { details: { near: ["read"] } });
    expect(toGuestError(thrown)).toEqual({
      name: "Error",
      message: "unknown tool",
      code: "tool_error",
      details: { near: ["read"] },
    });
  });

  it("NEST-4 what the host knows better replaces what was thrown", () => {
    const thrown = Object.assign(new RangeError("x"), { code: "own" });
    expect(toGuestError(thrown, { code: "too_many", toolId: "openclaw:core:read", name: "Error" })).toEqual({
      name: "Error",
      message: "x",
      code: "too_many",
      toolId: "openclaw:core:read",
    });
  });

  it.each([
    ["a text", "broken", "broken"],
    ["nothing", undefined, "undefined"],
    ["null", null, "null"],
    ["a number", 7, "7"],
    ["a plain object", { message: "of an object", stack: "Error: at /home/someone/file.js:1" }, "of an object"],
  ])("NEST-4 %s thrown by a tool becomes an error with a message", (_what, thrown, message) => {
    expect(toGuestError(thrown)).toEqual({ name: "Error", message, code: "tool_error" });
  });

  it.each([-32_602, null, "", {}, ["x"]])("NEST-4 the code %j is no text and becomes tool_error", (code) => {
    expect(toGuestError(Object.assign(new Error("x"), { code })).code).toBe("tool_error");
  });

  it("NEST-4 stacks stay on the host, wherever they hang", () => {
    const inner = new Error("inner");
    const thrown = Object.assign(new Error("outer", { cause: inner }), {
      path: "/home/someone/secret.txt",
      details: { inner, note: "kept" },
    });
    const aggregate = new AggregateError([inner, new Error("second")], "several failed");
    const stackOnly = Object.assign(new Error("x"), { stack: "Error: x\n    at tool (/home/someone/tool.js:1:1)" });
    for (const each of [thrown, aggregate, stackOnly, new CodeModeError("tool_error", "x", { cause: inner })]) {
      const text = JSON.stringify(toGuestError(each));
      expect(text).not.toMatch(/\bat .*\.[jt]s|\/home\/|stack|cause/);
    }
    expect(toGuestError(thrown).details).toEqual({ inner: {}, note: "kept" });
  });

  it("NEST-4 a plain object with a stack does not bring it along", () => {
    const copied = { name: "Error", message: "copied", stack: "Error: copied\n    at /home/someone/tool.js:1:1" };
    expect(JSON.stringify(toGuestError(copied))).not.toContain("/home/someone");
  });

  it("NEST-4 functions and prototypes do not cross", () => {
    class Special extends Error {
      readonly details = { call: (): number => 1, date: new Date(0), own: "kept" };
    }
    const error = toGuestError(new Special("x"));
    expect(error.details).toEqual({ date: "1970-01-01T00:00:00.000Z", own: "kept" });
    expect(Object.getPrototypeOf(error)).toBe(Object.prototype);
    assertPlain(error);
  });

  it("NEST-4 a message is bounded in bytes and cut between characters", () => {
    expect(toGuestError(new Error("x".repeat(2048))).message).toHaveLength(2048);
    expect(toGuestError(new Error("x".repeat(2049))).message).toHaveLength(2048);
    expect(toGuestError(new Error("🙂".repeat(1000))).message).toBe("🙂".repeat(512));
    expect(toGuestError(new Error(`x${"🙂".repeat(1000)}`)).message).toBe(`x${"🙂".repeat(511)}`);
  });

  it("NEST-4 name and code are bounded", () => {
    const { name, code } = toGuestError(
      Object.assign(new Error("x"), { name: "N".repeat(500), code: "c".repeat(500) }),
    );
    expect([name.length, code.length]).toEqual([80, 80]);
  });

  it("NEST-4 details are a small plain object or are left out", () => {
    const detailsOf = (details: unknown): unknown => toGuestError(Object.assign(new Error("x"), { details })).details;
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    for (const details of [
      "text",
      1,
      null,
      [1, 2],
      { big: 1n },
      circular,
      { toJSON: () => "text" },
      { text: "x".repeat(4096) },
    ])
      expect(detailsOf(details)).toBeUndefined();
    expect(detailsOf({ text: "x".repeat(4000) })).toEqual({ text: "x".repeat(4000) });
    expect(detailsOf({ text: "€".repeat(4000) })).toBeUndefined();
  });

  it("NEST-4 a __proto__ key in details is data", () => {
    const { details } = toGuestError(
      Object.assign(new Error("x"), { details: JSON.parse('{"__proto__":{"polluted":1}}') as unknown }),
    );
    expect(Object.keys(details ?? {})).toEqual(["__proto__"]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it.each(["name", "message", "code", "details", "brand", "stack"])(
    "NEST-4 a getter of %s that throws costs only that field",
    (key) => {
      const thrown = Object.defineProperty(Object.assign(new Error("x"), key === "code" ? {} : { code: "own" }), key, {
        get: throwing,
      });
      const error = toGuestError(thrown);
      assertPlain(error);
      expect(error.code).toBe(key === "code" ? "tool_error" : "own");
      if (key !== "message") expect(error.message).toBe("x");
      expect(JSON.stringify(error)).not.toContain("trap");
    },
  );

  it("NEST-4 a proxy whose every trap throws is still an error", () => {
    const traps = Object.fromEntries(Object.getOwnPropertyNames(Reflect).map((trap) => [trap, throwing]));
    assertPlain(toGuestError(new Proxy({}, traps)));
    assertPlain(toGuestError(new Proxy(new Error("x"), traps)));
  });

  it("NEST-4 anything thrown becomes a plain error", () => {
    const fields = fc.record(
      {
        name: fc.anything(),
        message: fc.anything(),
        code: fc.anything(),
        details: fc.anything(),
        stack: fc.anything(),
      },
      { requiredKeys: [] },
    );
    const thrown = fc.oneof(
      fc.anything(),
      fields,
      fields.map((own) => Object.assign(new Error("x"), own)),
    );
    fc.assert(
      fc.property(thrown, (each) => assertPlain(toGuestError(each))),
      { seed: 99, numRuns: 500 },
    );
  });
});

function throwing(): never {
  throw new Error("trap");
}
