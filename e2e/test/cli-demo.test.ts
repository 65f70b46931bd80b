import { expect, it } from "vitest";
import { CliFolder } from "./cli-process.ts";

it("CLI-1 the demo turn goes as planned: exec waits, wait completes, the answer holds what the program computed", async () => {
  using folder = new CliFolder();
  const { code, stdout, stderr } = await folder.run(["demo", "--json"]);
  const report = JSON.parse(stdout) as Record<string, unknown>;
  expect([code, stderr, report.faults]).toEqual([0, "", []]);
  expect(report.visibleTools).toEqual([
    ["exec", "wait"],
    ["exec", "wait"],
    ["exec", "wait"],
  ]);
  expect(report.controls).toMatchObject([
    { name: "exec", result: { status: "waiting", reason: "pending_tools" } },
    { name: "wait", result: { status: "completed", value: { value: 42 } } },
  ]);
  const calls = report.calls as { toolId: string; ok: boolean }[];
  expect(calls.map(({ toolId }) => toolId).sort()).toEqual([
    "mcp:everything:get-sum",
    "mcp:filesystem:read_text_file",
    "openclaw:sample:warehouse_count",
  ]);
  expect(report.answer).toContain("14 apples at 3 each are worth 42");
});

it("CLI-1 the demo prints a trace for people", async () => {
  using folder = new CliFolder();
  const { code, stdout } = await folder.run(["demo"]);
  expect(code).toBe(0);
  expect(stdout).toContain("sees exec, wait");
  expect(stdout).toMatch(/│ const \[found\] = await tools\.search/);
  expect(stdout).toMatch(/[├└]─ mcp:filesystem:read_text_file {2}\d+ ms ok/);
  expect(stdout).toContain("→ waiting (pending_tools) on openclaw:sample:warehouse_count");
  expect(stdout).toMatch(/tokens {2}\d+ for exec and wait instead of \d+ for \d+ tools: \d+ % saved/);
});
