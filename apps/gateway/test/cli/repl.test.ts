import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { TemporaryFolder } from "../temporary-folder.ts";
import { runCli } from "./run-cli.ts";

const slow = `import { setTimeout as after } from "node:timers/promises";
export default { id: "slow", tools: [{ name: "slow", description: "Takes its time.\\u001b[31m", parameters: {}, execute: (_, { signal }) => after(4000, "done", { signal }) }] };`;

function configured(): TemporaryFolder {
  const folder = new TemporaryFolder();
  folder.write("a.txt", "hello");
  folder.write("slow.mjs", slow);
  folder.write("codemode.config.json5", '{ plugins: ["./slow.mjs"] }');
  return folder;
}

it("CLI-5 programs from a pipe run one after the other, over several lines, and waiting cells are waited for", async () => {
  using folder = configured();
  const input = [
    "1 + 1",
    "const read = async (path) => {",
    "  const { content } = await tools.read({ path });",
    "",
    "",
    "  return content;",
    "};",
    "return await read('a.txt')",
  ];
  const first = await runCli(folder, ["repl"], { input: `${input.slice(0, 1).join("\n")}\n` });
  expect([first.code, first.stdout]).toEqual([0, "2\n"]);
  const block = `(async () => {\n${input.slice(1).join("\n")}\n})()\ntext("a"); return await tools.slow({})\n\`over\nlines\``;
  const { code, stdout, stderr } = await runCli(folder, ["repl", "--timeout-ms", "2500"], { input: block });
  expect([code, stdout]).toEqual([0, "hello\na\ndone\nover\nlines\n"]);
  expect(stderr).toMatch(/… waiting \(pending_tools\): openclaw:slow:slow \(running\)/);
});

it("CLI-5 a program that fails is reported with its place, the rest goes on, and the exit code of a pipe tells it", async () => {
  using folder = configured();
  const { code, stdout, stderr } = await runCli(folder, ["repl"], { input: "throw new Error('no')\n'after'\nfoo(\n" });
  expect([code, stdout]).toEqual([1, "after\n"]);
  expect(stderr).toMatch(/failed \(.*\): .*no/);
  expect(stderr).toMatch(/is never closed/);
});

it("CLI-5 .tools, .describe, .save, .load, .help and .exit do what they say, and kept results reach later programs", async () => {
  using folder = configured();
  const input = [
    ".help",
    ".tools",
    ".describe tools.read",
    ".save none.json",
    "({ n: 42, __proto__x: [1] })",
    ".save results out.json",
    ".save out.json",
    ".load results out.json",
    "(await results.save({ kept: true })).id",
    ".nothing",
    ".describe nothing",
    ".exit",
    "'never'",
  ];
  const { stdout, stderr } = await runCli(folder, ["repl"], { input: `${input.join("\n")}\n` });
  expect(stdout).toContain(".describe NAME");
  expect(stdout).toMatch(/^tools\.slow\s+Takes its time\.\\u\{1b\}\[31m$/m);
  expect(stdout).toContain('"id": "openclaw:core:read"');
  expect(JSON.parse(readFileSync(join(folder.path, "out.json"), "utf8"))).toEqual({ n: 42, __proto__x: [1] });
  expect(stdout.match(/^r_[\w-]+$/gm)?.length).toBe(2);
  for (const said of [
    "there is no result yet",
    "saved in out.json",
    "out.json is there already",
    "there is no .nothing",
    "there is no tool nothing",
  ])
    expect(stderr).toContain(said);
  expect(stdout).not.toContain("never");
  const load = (id: string): Promise<{ stdout: string }> => runCli(folder, ["repl"], { input: id });
  expect((await load(".load out.json\n.tools read\n")).stdout).toMatch(/^r_[\w-]+\n.*tools\.read/s);
});

it("CLI-5 typescript runs as such, and a wrong language is wrong usage", async () => {
  using folder = configured();
  const input = "interface A {\n  n: number;\n}\nconst a: A =\n  { n: 1 };\nreturn a.n as number\n";
  const { code, stderr } = await runCli(folder, ["repl", "--language", "typescript"], { input });
  expect([code, stderr]).toEqual([1, expect.stringContaining("a is not defined")]);
  const block = "(() => {\n  const a: number =\n    1;\n  return a;\n})()\n";
  expect((await runCli(folder, ["repl", "--language", "typescript"], { input: block })).stdout).toBe("1\n");
  const wrong = await runCli(folder, ["repl", "--language", "python"]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("expected javascript or typescript")]);
});
