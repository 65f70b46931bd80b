import { expect, it } from "vitest";
import { completed, failed } from "../fake-code-mode.ts";
import { outcomeOf } from "../observe.ts";

const position = { line: 2, column: 46, frame: "2 | let x" };

it("messageMatches reads the error and its hint without regard to case, over lines", () => {
  expect(
    outcomeOf({ messageMatches: "IMPORT.*tools" }, failed("invalid_input", "import is not available\nuse tools")),
  ).toBe("pass");
  expect(outcomeOf({ messageMatches: "await" }, failed("guest_error", "undefined", { hint: "add await" }))).toBe(
    "pass",
  );
  expect(outcomeOf({ messageMatches: "await" }, failed("guest_error", "undefined"))).toBe("fail");
  expect(outcomeOf({ messageMatches: ".*" }, completed(1))).toBe("fail");
});

it("hintMatches and resultTextMatches read the hint and the whole result", () => {
  expect(outcomeOf({ hintMatches: "return" }, completed(null, { hint: "add return" }))).toBe("pass");
  expect(outcomeOf({ hintMatches: "return" }, completed(null))).toBe("fail");
  expect(
    outcomeOf({ resultTextMatches: "counter_incr" }, failed("timeout", "late", { details: { ran: ["counter_incr"] } })),
  ).toBe("pass");
});

it("lineReported and columnReported compare with the position, exactly or with a bound", () => {
  const result = failed("invalid_input", "no", { position });
  expect(outcomeOf({ lineReported: 2, columnReported: ">=46" }, result)).toBe("pass");
  expect(outcomeOf({ lineReported: 3 }, result)).toBe("fail");
  expect(outcomeOf({ columnReported: ">=47" }, result)).toBe("fail");
  expect(outcomeOf({ lineReported: 2 }, failed("invalid_input", "line 2"))).toBe("fail");
});
