import { expect, it } from "vitest";
import { generateSource, parseCases, stepsOf } from "../src/index.ts";

const line = JSON.stringify({
  id: "Q01",
  kind: "x",
  symptom: "y",
  input: { code: 'tools.call("fixture:core:echo")' },
  expected: { valueMatches: "fixture:core:ech", note: "GET /health" },
});

it("cases are read line by line in the spelling of the product", () => {
  const [bugCase, ...rest] = parseCases(`${line}\n\n`);
  expect(rest).toEqual([]);
  expect(bugCase?.input.code).toBe('tools.call("openclaw:core:echo")');
  expect(bugCase?.expected).toEqual({ valueMatches: "openclaw:core:ech", note: "GET /healthz" });
});

it("every short form of a step is spelled out", () => {
  const steps = [
    { exec: "return 1" },
    { code: "return 2" },
    { exec: { code: "return 3", session: "s" } },
    { parallel: [{ exec: "return 4" }] },
    { waitLoop: "x" },
  ];
  const bugCase = { id: "Q", kind: "x", symptom: "y", input: { steps }, expected: {} };
  expect(stepsOf(bugCase)).toEqual([
    { kind: "exec", input: { code: "return 1" } },
    { kind: "exec", input: { code: "return 2" } },
    { kind: "exec", input: { code: "return 3" }, session: "s" },
    { kind: "parallel", steps: [{ kind: "exec", input: { code: "return 4" } }] },
    { kind: "waitLoop" },
  ]);
});

it("a generator yields a source in a context without the host", () => {
  expect(generateSource("'a'.repeat(3)")).toBe("aaa");
  expect(generateSource("typeof process + typeof require")).toBe("undefinedundefined");
  expect(() => generateSource("7")).toThrow("expected a string");
});
