import { expect, it } from "vitest";
import { approvalText } from "../../src/policy/approval-text.ts";

it("APR-1 what a person reads hides nothing: control and direction characters are spelled out, the middle is folded", () => {
  const text = approvalText({ cmd: `ls \u202e# fr- mr\u001b[2K\u200b\u{e0041}${"\n".repeat(5_000)}rm -rf /` });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
  expect(text).not.toMatch(/[\u001b\u202e\u200b\u{e0041}]/u);
  expect(text).toContain("rm -rf /");
  expect(text).toContain("\\u{202e}");
  expect(text).toMatch(/… \d+ characters folded …/);
  expect(text.length).toBeLessThan(2_100);
});

it("short arguments are shown whole", () => {
  expect(approvalText({ to: "ada" })).toBe('{\n  "to": "ada"\n}');
});
