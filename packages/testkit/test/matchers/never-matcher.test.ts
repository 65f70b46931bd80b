import { expect, it } from "vitest";
import { completed, failed } from "../fake-code-mode.ts";
import { outcomeOf } from "../observe.ts";

it("never searches every result of the case, as JSON", () => {
  const results = [failed("internal_error", "x"), completed(1)];
  expect(outcomeOf({ never: ["internal_error"] }, completed(1), { results })).toBe("fail");
  expect(outcomeOf({ never: ["internal_error"] }, completed(1))).toBe("pass");
  expect(outcomeOf({ never: ['"files":[{},{}]'] }, completed({ files: [{}, {}] }))).toBe("fail");
});

it("never understands escapes, broken text and a blocked event loop", () => {
  expect(outcomeOf({ never: ["\\ufffd"] }, completed("a\ufffd"))).toBe("fail");
  expect(outcomeOf({ never: ["lone surrogate"] }, completed("a\ud83e"))).toBe("fail");
  expect(outcomeOf({ never: ["lone surrogate"] }, completed("🦞"))).toBe("pass");
  expect(outcomeOf({ never: ["event loop lag over 250 ms in the parent"] }, completed(1), { lagMs: 251 })).toBe("fail");
});
