import type { CodeModeOutput } from "@code-mode/contract";
import { expect, it } from "vitest";
import { completed } from "../fake-code-mode.ts";
import { outcomeOf } from "../observe.ts";

const output: CodeModeOutput[] = [
  { type: "text", text: "one" },
  { type: "json", value: { n: 2 } },
];

it("outputOrder is the whole list of items, in order", () => {
  expect(outcomeOf({ outputOrder: ["one", '{"n":2}'] }, completed(1, { output }))).toBe("pass");
  expect(outcomeOf({ outputOrder: ["one"] }, completed(1, { output }))).toBe("fail");
  expect(outcomeOf({ outputOrder: [] }, completed(1))).toBe("pass");
});

it("outputTextMatches reads the items, and the fields that tell of a cut", () => {
  expect(outcomeOf({ outputTextMatches: "^one" }, completed(1, { output }))).toBe("pass");
  expect(outcomeOf({ outputTextMatches: "omitted" }, completed(1, { output }))).toBe("fail");
  expect(outcomeOf({ outputTextMatches: "\\d+ bytes" }, completed(1, { truncated: true, omittedBytes: 7 }))).toBe(
    "pass",
  );
});

it("serializedBytesMax counts UTF-8 bytes of items and value without separators", () => {
  const text: CodeModeOutput = { type: "text", text: "語" };
  const bytes = Buffer.byteLength(JSON.stringify(text)) + 1;
  expect(outcomeOf({ serializedBytesMax: bytes }, completed(1, { output: [text] }))).toBe("pass");
  expect(outcomeOf({ serializedBytesMax: bytes - 1 }, completed(1, { output: [text] }))).toBe("fail");
});
