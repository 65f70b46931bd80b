import { expect, it } from "vitest";
import { completed } from "../fake-code-mode.ts";
import { outcomeOf } from "../observe.ts";

const calls = [
  { tool: "add", input: { a: 1, b: 2 } },
  { tool: "add", input: { a: 1, b: 2 } },
];

it("toolCalls counts the named tools, and 0 means that nothing ran", () => {
  expect(outcomeOf({ toolCalls: { add: 2, echo: 0 } }, completed(1), { calls })).toBe("pass");
  expect(outcomeOf({ toolCalls: { add: 1 } }, completed(1), { calls })).toBe("fail");
  expect(outcomeOf({ toolCalls: 0 }, completed(1), { calls })).toBe("fail");
  expect(outcomeOf({ toolCalls: 0 }, completed(1))).toBe("pass");
});

it("ledger is exact: a doubled or an unexpected effect fails", () => {
  expect(outcomeOf({ ledger: { k: 1 } }, completed(1), { ledger: { k: 1 } })).toBe("pass");
  expect(outcomeOf({ ledger: { k: 1 } }, completed(1), { ledger: { k: 2 } })).toBe("fail");
  expect(outcomeOf({ ledger: {} }, completed(1), { ledger: { k: 1 } })).toBe("fail");
  expect(outcomeOf({ ledgerSize: 1 }, completed(1), { ledger: { k: 1 } })).toBe("pass");
});

it("wire and wireArgs look at what reached the tool", () => {
  expect(outcomeOf({ wire: { tool: "add" } }, completed(1), { calls })).toBe("pass");
  expect(outcomeOf({ wire: { tool: "a.dd" } }, completed(1), { calls })).toBe("fail");
  expect(outcomeOf({ wireArgs: { add: { b: 2, a: 1 } } }, completed(1), { calls })).toBe("pass");
  expect(outcomeOf({ wireArgs: { add: { a: 9 } } }, completed(1), { calls })).toBe("fail");
});

it("modelToolCalls counts exec and wait", () => {
  expect(outcomeOf({ modelToolCalls: 1 }, completed(1))).toBe("pass");
  expect(outcomeOf({ modelToolCalls: 1 }, completed(1), { modelCalls: 2 })).toBe("fail");
  expect(outcomeOf({ modelToolCallsMax: 2 }, completed(1), { modelCalls: 2 })).toBe("pass");
  expect(outcomeOf({ modelToolCallsMax: 2 }, completed(1), { modelCalls: 3 })).toBe("fail");
});
