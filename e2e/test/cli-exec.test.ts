import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CliFolder, mcpServerFile, samplePlugin, slowPlugin } from "./cli-process.ts";

it("CLI-4 exec runs one program and prints exactly its result on one line of stdout", async () => {
  using folder = new CliFolder();
  const { code, stdout } = await folder.run(["exec", "-e", 'return (await tools.search("read file"))[0].id', "--json"]);
  expect(code).toBe(0);
  expect(stdout.split("\n")).toEqual([expect.any(String), ""]);
  expect(JSON.parse(stdout)).toMatchObject({
    status: "completed",
    value: "openclaw:core:read",
    telemetry: { searchCount: 1 },
  });
});

it("CLI-4 the program comes from a file, whose name tells the language, or from stdin", async () => {
  using folder = new CliFolder();
  folder.write("p.ts", "const n: number = 41; return n + 1");
  expect(await folder.run(["exec", "p.ts"])).toMatchObject({ code: 0, stdout: "42\n" });
  expect(await folder.run(["exec", "-", "--language", "typescript"], 'return "x" as string')).toMatchObject({
    code: 0,
    stdout: "x\n",
  });
});

it("CLI-4 a program that outlives its budget comes back waiting, and with --wait it is waited for", async () => {
  using folder = new CliFolder();
  folder.write("slow.mjs", slowPlugin);
  folder.write("codemode.config.json5", { plugins: ["./slow.mjs"] });
  const args = ["exec", "-e", 'text("first"); return await tools.slow({})', "--timeout-ms", "2000", "--json"];
  const parked = await folder.run(args);
  expect([parked.code, JSON.parse(parked.stdout)]).toMatchObject([
    0,
    { status: "waiting", reason: "pending_tools", pendingToolCalls: [{ id: "openclaw:slow:slow", status: "running" }] },
  ]);
  const waited = await folder.run([...args, "--wait"]);
  expect([waited.code, JSON.parse(waited.stdout)]).toMatchObject([
    0,
    { status: "completed", value: "done", output: [{ type: "text", text: "first" }] },
  ]);
});

it("CLI-4 progress of nested calls goes to stderr, output and value to stdout", async () => {
  using folder = new CliFolder();
  folder.write("codemode.config.json5", { plugins: [samplePlugin] });
  const { stdout, stderr } = await folder.run([
    "exec",
    "-e",
    'text("one"); return await tools.warehouse_count({ item: "plums" })',
    "--wait",
  ]);
  expect(stdout).toMatch(/^one\n\{\s+"item": "plums",\s+"total": 0\s+\}\n$/);
  expect(stderr).toContain("→ openclaw:sample:warehouse_count");
  expect(stderr).toContain("shelf 4 of 4");
  expect(stderr).toMatch(/✓ openclaw:sample:warehouse_count \d+ ms/);
});

it("CLI-4 what a plugin prints, at any time, never reaches stdout", async () => {
  using folder = new CliFolder();
  folder.write(
    "noisy.mjs",
    `console.log("A"); process.stdout.write("RAW\\n");
export default { id: "noisy", setup() { console.log("S"); }, tools: [{ name: "t", description: "", parameters: {}, execute() { console.log("E"); return 1; } }] };`,
  );
  folder.write("codemode.config.json5", { plugins: ["./noisy.mjs"] });
  const { stdout, stderr } = await folder.run(["exec", "-e", "return await tools.t({})", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ status: "completed", value: 1 });
  expect(stderr).toMatch(/A[\s\S]*RAW[\s\S]*S[\s\S]*E/);
});

it("CLI-4 control characters of a program reach a terminal spelled out", async () => {
  using folder = new CliFolder();
  const { stderr, stdout } = await folder.run(["exec", "-e", 'text("a\\u0007b"); throw new Error("\\u001b]0;x")']);
  expect(stdout).toBe("a\\u{7}b\n");
  expect(stderr).toContain("\\u{1b}]0;x");
});

it.each([
  ["", "invalid_input", "the program is empty"],
  ["return (", "invalid_input", "SyntaxError"],
  ['import x from "y"; return x', "invalid_input", "Programs have no modules"],
  ["for(;;){}", "timeout", "still computing after 500 ms"],
  ["const kept = []; for (;;) kept.push(new Array(100000).fill(1))", "memory_limit_exceeded", "memoryLimitBytes"],
  ['throw new TypeError("oops")', "guest_error", "TypeError: oops"],
  ['await tools.read({ path: "missing" })', "tool_error", '"missing" does not exist in the workspace'],
  ['await tools.read({ path: "../x" })', "tool_error", 'contains ".."'],
  ["await tools.warehouse_count({ item: 5 })", "tool_error", "item"],
  ['await tools.warehouse_count({ item: "kiwis" })', "tool_error", "known: apples, pears, plums"],
])("bad input: %j fails as %s, says why, and exits 1", async (program, errorCode, message) => {
  using folder = new CliFolder();
  folder.write("codemode.config.json5", { plugins: [samplePlugin] });
  const args = ["exec", "-e", program, "--timeout-ms", errorCode === "timeout" ? "500" : "10000"];
  const asJson = await folder.run([...args, "--json"]);
  const result = JSON.parse(asJson.stdout) as Record<string, unknown>;
  expect([asJson.code, result.status, result.code]).toEqual([1, "failed", errorCode]);
  expect(result.error).toContain(message);
  expect(asJson.stderr).not.toMatch(/\n\s+at .*\.js:\d+/);
});

it.each([
  ["an unknown key", '{\n  "toolz": {}\n}', "codemode.config.json5:2: toolz: unknown key. Did you mean tools"],
  ["a plugin that is not there", { plugins: ["./none.mjs"] }, "plugin ./none.mjs: the module cannot be loaded"],
  ["a syntax error", "{ tools: ", "codemode.config.json5:1:"],
])("CONF-3 a configuration with %s ends every command with code 2 and one message", async (_what, config, message) => {
  using folder = new CliFolder();
  folder.write("codemode.config.json5", config);
  for (const args of [["exec", "-e", "return 1"], ["tools"], ["mcp"]]) {
    const { code, stdout, stderr } = await folder.run(args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^error: .*\n$/);
    expect(stderr).toContain(message);
  }
});

it("an MCP server that does not start is a warning; the others and the program go on", async () => {
  using folder = new CliFolder();
  folder.write("a.txt", "x");
  const files = { command: process.execPath, args: [mcpServerFile("filesystem"), folder.path] };
  folder.write("codemode.config.json5", { mcpServers: { broken: { command: "no-such-command-here" }, files } });
  const program = 'return (await MCP.files.readTextFile({ path: "a.txt" })).data.content';
  const { code, stdout, stderr } = await folder.run(["exec", "-e", program]);
  expect([code, stdout]).toEqual([0, "x\n"]);
  expect(stderr).toContain("warning: MCP server broken could not be started");
  expect(stderr).toContain("no-such-command-here");
});

it("CONF-2 --mcp-config takes the servers of another client's file", async () => {
  using folder = new CliFolder();
  folder.write(".mcp.json", {
    mcpServers: { all: { command: process.execPath, args: [mcpServerFile("everything")], autoApprove: [] } },
  });
  const program = "return (await MCP.all.getSum({ a: 2, b: 40 })).data";
  const { code, stdout } = await folder.run(["exec", "--mcp-config", ".mcp.json", "-e", program]);
  expect([code, stdout]).toEqual([0, "The sum of 2 and 40 is 42.\n"]);
});

it.each([
  [["exec"], "no program"],
  [["exec", "missing.js"], "missing.js cannot be read"],
  [["exec", "a.js", "-e", "1"], "not both"],
  [["exec", "-e", "1", "--timeout-ms", "soon"], "--timeout-ms"],
  [["exec", "-e", "1", "--timeout-ms", "5"], "from 100 to 60000"],
  [["exec", "-e", "1", "--timeout-ms", "99999999"], "from 100 to 60000"],
  [["exec", "--wat"], "unknown option '--wat'"],
  [["exce"], "Did you mean exec"],
  [["tools", "x", "--describe", "y"], "not both"],
])("wrong usage %j exits 2 and says what is right", async (args, message) => {
  using folder = new CliFolder();
  const { code, stdout, stderr } = await folder.run(args);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(message);
});

it.each([["demo"], ["exec"], ["gateway"], ["mcp"], ["tools"]])(
  "%s --help exits 0 and shows an example",
  async (command) => {
    using folder = new CliFolder();
    const { code, stdout } = await folder.run([command, "--help"]);
    expect(code).toBe(0);
    expect(stdout).toContain(`Example:\n  codemode ${command}`);
    expect(stdout).toContain("--config <file>");
  },
);

it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s ends a running program and leaves no server process behind",
  async (signal) => {
    using folder = new CliFolder();
    const pidFile = join(folder.path, "pid");
    const start = `require("node:fs").writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); import(${JSON.stringify(mcpServerFile("everything"))})`;
    folder.write("codemode.config.json5", { mcpServers: { all: { command: process.execPath, args: ["-e", start] } } });
    const running = folder.start([
      "exec",
      "-e",
      "return await MCP.all.triggerLongRunningOperation({ duration: 600, steps: 2 })",
      "--timeout-ms",
      "60000",
    ]);
    await running.stderrHas("→ mcp:all:trigger-long-running-operation");
    running.kill(signal);
    expect((await running.ended).code).toBe({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[signal]);
    expect(existsSync(pidFile)).toBe(true);
    expect(() => process.kill(Number(readFileSync(pidFile, "utf8")), 0)).toThrow("ESRCH");
  },
);
