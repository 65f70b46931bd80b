import type { CodeModeResult } from "@code-mode/contract";
import { expect, it } from "vitest";
import { judgeHostileProgram, parseHostilePrograms } from "../src/index.ts";
import { completed, FakeCodeMode, failed } from "./fake-code-mode.ts";

const [program] = parseHostilePrograms('{"id":"h","class":"hang","expected":"interrupted","code":"while(true){}"}\n\n');
const sane = completed([2, "undefined", "undefined", [1, 3], '{"a":[null]}']);

async function judge(result: CodeModeResult, canary = sane, graceMs = 60_000): Promise<readonly string[]> {
  if (program === undefined) throw new Error("no program");
  const codeMode = new FakeCodeMode((_, { code }) => (code === program.code ? result : canary));
  return judgeHostileProgram(program, codeMode, { timeoutMs: 0, graceMs });
}

it("a program that is stopped by its budget, with a sane next cell, is contained", async () => {
  expect(await judge(failed("timeout", "the program took too long"))).toEqual([]);
});

it("an error of ours and an unknown code are not contained", async () => {
  expect((await judge(failed("internal_error", "trap"))).join()).toMatch(/internal_error: trap/);
  expect((await judge(failed("oops", "x"))).join()).toMatch(/error code is oops/);
});

it("traces of the host in the result are named, those in the quoted source are not", async () => {
  const position = { line: 1, column: 1, frame: "import('node_modules/x')" };
  expect(await judge(failed("guest_error", "Error at node:internal/x"))).toEqual(["the result shows node:internal"]);
  expect(await judge(failed("invalid_input", "no modules", { position }))).toEqual([]);
});

it("a late answer and a broken next cell are reported", async () => {
  expect((await judge(completed(1), sane, -1)).join()).toMatch(/answered after/);
  expect((await judge(completed(1), completed([3]))).join()).toMatch(/next cell gave \[3\]/);
});
