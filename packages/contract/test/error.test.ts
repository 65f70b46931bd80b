import { describe, expect, it } from "vitest";
import { assertNever, CodeModeError, codeModeErrorCodes, messageOf } from "../src/index.ts";

describe("error codes", () => {
  it("ERR-1 the codes are those of the contract", () => {
    expect([...codeModeErrorCodes].sort()).toEqual(
      [
        "invalid_input",
        "runtime_unavailable",
        "timeout",
        "output_limit_exceeded",
        "snapshot_limit_exceeded",
        "internal_error",
        "aborted",
        "memory_limit_exceeded",
        "tool_error",
        "guest_error",
      ].sort(),
    );
  });

  it.each(codeModeErrorCodes)("ERR-1 an error carries the code %s, its facts and its cause", (code) => {
    const cause = new Error("inner");
    const error = new CodeModeError(code, "what happened", { details: { limit: 1 }, cause });
    expect([error.code, error.message, error.details, error.cause]).toEqual([
      code,
      "what happened",
      { limit: 1 },
      cause,
    ]);
    expect(error).toBeInstanceOf(Error);
  });
});

describe("CodeModeError.is", () => {
  it("knows an error of another copy of the package", () => {
    const foreign = Object.assign(new Error("x"), { brand: "@code-mode/error", code: "timeout" });
    expect(CodeModeError.is(new CodeModeError("timeout", "x"))).toBe(true);
    expect(CodeModeError.is(foreign)).toBe(true);
  });

  it.each([undefined, null, "timeout", new Error("x"), { brand: "@code-mode/error", code: "timeout" }])(
    "is false for %s",
    (value) => {
      expect(CodeModeError.is(value)).toBe(false);
    },
  );

  it("is false, not an exception, for values whose traps throw", () => {
    expect(CodeModeError.is(Object.defineProperty(new Error("x"), "brand", { get: throwing }))).toBe(false);
    expect(CodeModeError.is(new Proxy({}, { getPrototypeOf: throwing }))).toBe(false);
  });
});

describe("messageOf", () => {
  it.each([
    [new Error("plain"), "plain"],
    [new TypeError(""), "TypeError"],
    ["text", "text"],
    [{ message: "of an object", stack: "at /home/someone/file.js:1" }, "of an object"],
    [{ reason: 1 }, '{"reason":1}'],
    [7, "7"],
    [null, "null"],
    [undefined, "undefined"],
    [Symbol("mark"), "Symbol(mark)"],
  ])("of %s is %s", (thrown, message) => {
    expect(messageOf(thrown)).toBe(message);
  });

  it("is never empty", () => {
    const nameless = Object.assign(new Error(""), { name: "" });
    for (const thrown of ["", nameless, {}, [], Object.create(null)]) expect(messageOf(thrown)).toMatch(/./);
  });

  it("is a string even where the message is none", () => {
    for (const message of [7, null, { a: 1 }, ["x"]]) {
      expect(typeof messageOf(Object.assign(new Error("x"), { message }))).toBe("string");
    }
  });

  it("never throws, whatever getters, traps and serializers do", () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const thrown: unknown[] = [
      Object.defineProperty(new Error("x"), "message", { get: throwing }),
      Object.defineProperty({}, "message", { get: throwing }),
      new Proxy({}, { getPrototypeOf: throwing, get: throwing }),
      { toJSON: throwing, toString: throwing },
      circular,
      10n,
    ];
    for (const each of thrown) expect(messageOf(each)).toMatch(/./);
  });
});

describe("assertNever", () => {
  it("names the case that nobody handled", () => {
    expect(() => assertNever({ kind: "new" } as never)).toThrow('case not handled: {"kind":"new"}');
  });
});

function throwing(): never {
  throw new Error("trap");
}
