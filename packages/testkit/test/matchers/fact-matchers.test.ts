import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { outcomeOf } from "../observe.ts";

it("unique, regex and minEntropyBits tell random run ids from counters", () => {
  const random = Array.from({ length: 1000 }, () => randomBytes(16).toString("base64url"));
  const counted = random.map((_, index) => `run_0000000000000${1000 + index}`);
  const expected = { unique: 1000, minEntropyBits: 96, regex: "^[A-Za-z0-9_-]{16,64}$" };
  expect(outcomeOf(expected, undefined, { facts: { runIds: random } })).toBe("pass");
  expect(outcomeOf({ minEntropyBits: 96 }, undefined, { facts: { runIds: counted } })).toBe("fail");
  expect(outcomeOf({ unique: 2 }, undefined, { facts: { runIds: ["a", "a"] } })).toBe("fail");
  expect(outcomeOf({ regex: "^b$" }, undefined, { facts: { runIds: ["a"] } })).toBe("fail");
});

it("effective compares configurations one by one and takes a refusal or the default where the data says so", () => {
  const expected = { effective: [{ timeoutMs: 100 }, "config error or default 10000"] };
  const refused = { effective: [{ timeoutMs: 100, languages: [] }, "config error: timeoutMs"] };
  expect(outcomeOf(expected, undefined, { facts: refused })).toBe("pass");
  expect(outcomeOf(expected, undefined, { facts: { effective: [{ timeoutMs: 100 }, { timeoutMs: 10_000 }] } })).toBe(
    "pass",
  );
  expect(outcomeOf(expected, undefined, { facts: { effective: [{ timeoutMs: 5 }, { timeoutMs: 10_000 }] } })).toBe(
    "fail",
  );
  expect(outcomeOf(expected, undefined, { facts: { effective: [{ timeoutMs: 100 }, { timeoutMs: null }] } })).toBe(
    "fail",
  );
});
