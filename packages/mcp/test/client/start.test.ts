import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { McpServerConfig } from "../../src/index.ts";
import {
  call,
  changed,
  connect,
  connected,
  fileHolds,
  isAlive,
  misbehaving,
  temporaryFolder,
  toolNames,
} from "../support.ts";

describe("starting servers", () => {
  it("MCPC-1 a slow server delays nobody: the others are ready and it joins later", async () => {
    const go = join(temporaryFolder(), "go");
    const connections = connect({ slow: misbehaving(`wait-for=${go}`), fast: misbehaving() });
    const before = connections.toolSet();

    await changed(connections, () => toolNames(connections, "fast").length > 0);
    const between = connections.toolSet();
    const answer = await call(connections, "fast/echo", { a: 1 });
    writeFileSync(go, "");
    await connections.ready();

    expect(before).toEqual({
      tools: [],
      mcpServers: [
        { name: "fast", state: "starting" },
        { name: "slow", state: "starting" },
      ],
    });
    expect(between.mcpServers).toEqual([
      { name: "fast", state: "ready" },
      { name: "slow", state: "starting" },
    ]);
    expect(answer.structuredContent).toEqual({ input: { a: 1 } });
    expect(toolNames(connections, "slow")).toContain("echo");
  });

  it("the tool set is the same object until something changes", async () => {
    const connections = await connected({ one: misbehaving() });
    const first = connections.toolSet();

    await call(connections, "one/echo");
    const second = connections.toolSet();
    await connections.restart("one");

    expect(second).toBe(first);
    expect(connections.toolSet()).not.toBe(first);
    expect(connections.toolSet()).toEqual({ ...first, tools: expect.any(Array) });
  });

  it("ready ends when its time is over or its signal aborts, and the servers go on starting", async () => {
    const connections = connect({ silent: misbehaving("never-initialize") });

    await connections.ready({ timeoutMs: 1 });
    await expect(connections.ready({ signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");

    expect(connections.states()).toMatchObject([{ name: "silent", state: "starting" }]);
  });

  it("a disabled server is neither started nor shown", async () => {
    const connections = await connected({ off: { ...misbehaving(), disabled: true } });

    expect(connections.states()).toEqual([]);
    expect(connections.toolSet()).toEqual({ tools: [], mcpServers: [] });
  });

  it("restart of an unknown server names those that exist", async () => {
    const connections = await connected({ files: misbehaving() });

    await expect(connections.restart("flies")).rejects.toThrow(
      'there is no MCP server "flies"; configured are files. Did you mean files?',
    );
  });

  it("a server that failed can be started anew", async () => {
    const marker = join(temporaryFolder(), "broken");
    writeFileSync(marker, "");
    const connections = await connected({ moody: misbehaving(`die-on-start=${marker}`) });
    const before = connections.states()[0]?.state;
    const { rmSync } = await import("node:fs");
    rmSync(marker);

    await connections.restart("moody");

    expect(before).toBe("failed");
    expect(connections.states()).toMatchObject([{ state: "ready" }]);
  });

  it("garbage before the first message does not matter when messages follow", async () => {
    const connections = await connected({ chatty: misbehaving("banner") });

    expect(connections.states()).toMatchObject([{ state: "ready" }]);
  });
});

describe("servers that cannot be used", () => {
  const cases: { title: string; config: McpServerConfig; note: RegExp; guestNote: string }[] = [
    {
      title: "a command that does not exist",
      config: { command: "no-such-mcp-server" },
      note: /^command "no-such-mcp-server" was not found; install it, give its full path, or check cwd$/,
      guestNote: "its command was not found",
    },
    {
      title: "a working folder that does not exist",
      config: { ...misbehaving(), cwd: "/no/such/folder" },
      note: /was not found; install it, give its full path, or check cwd$/,
      guestNote: "its command was not found",
    },
    {
      title: "a server that exits at once",
      config: misbehaving("exit-at-once"),
      note: /ended with exit code 3 before it was ready; it said "fatal: the database is missing"; run the command by hand/,
      guestNote: "the server ended",
    },
    {
      title: "a program that prints something else",
      config: misbehaving("garbage"),
      note: /printed no MCP messages but "Welcome to the wizard, step 0"; it said ".*"; start the program in its MCP mode/,
      guestNote: "the program prints something else than MCP messages",
    },
    {
      title: "a program that never answers",
      config: misbehaving("never-initialize"),
      note: /did not answer within 500 ms; .*check that it is an MCP server on stdio$/,
      guestNote: "the server did not answer in time",
    },
    {
      title: "a server that cannot list its tools",
      config: misbehaving("no-list"),
      note: /could not be used: out of order/,
      guestNote: "the server could not be used",
    },
    {
      title: "an entry without command and url",
      config: {} as McpServerConfig,
      note: /^it has neither "command" nor "url"; give one of them$/,
      guestNote: "its configuration is not valid",
    },
    {
      title: "an url of another protocol",
      config: { url: "ftp://127.0.0.1/mcp" },
      note: /^its url is not http or https$/,
      guestNote: "its configuration is not valid",
    },
  ];

  it.each(cases)(
    "$title is a state with one line for the operator and a shorter one for the guest",
    async (example) => {
      const connections = await connected({ broken: example.config, good: misbehaving() }, { startTimeoutMs: 500 });

      const [broken] = connections.states();
      expect(broken).toMatchObject({ name: "broken", state: "failed", tools: 0 });
      expect(broken?.note).toMatch(example.note);
      expect(broken?.note).not.toContain("\n");
      expect(connections.toolSet().mcpServers).toContainEqual({
        name: "broken",
        state: "failed",
        note: example.guestNote,
      });
    },
  );
});

describe("processes of servers", () => {
  it("disposing ends a server that ignores SIGTERM and what a server started", async () => {
    const log = join(temporaryFolder(), "log");
    const connections = await connected({
      stubborn: misbehaving("ignore-sigterm", `log=${log}`),
      parent: misbehaving("grandchild", `log=${log}`),
    });
    const pids = [...readFileSync(log, "utf8").matchAll(/(?:started|grandchild) (\d+)/g)].map((match) =>
      Number(match[1]),
    );
    const before = pids.map(isAlive);

    await connections[Symbol.asyncDispose]();

    expect(before).toEqual([true, true, true]);
    expect(readFileSync(log, "utf8")).toContain("SIGTERM ignored");
    await vi.waitFor(() => expect(pids.map(isAlive)).toEqual([false, false, false]));
  });

  it("disposing while servers start ends them and is done once", async () => {
    const log = join(temporaryFolder(), "log");
    const connections = connect({ silent: misbehaving("never-initialize", `log=${log}`) });
    await fileHolds(log, "started");
    const pid = Number(readFileSync(log, "utf8").split(" ")[1]);

    const first = connections[Symbol.asyncDispose]();
    const second = connections[Symbol.asyncDispose]();
    await Promise.all([first, second]);

    expect(isAlive(pid)).toBe(false);
    expect(connections.states()).toMatchObject([{ state: "failed" }]);
  });

  it("a server gets no variable of ours but a few harmless ones and those of its configuration", async () => {
    vi.stubEnv("CODE_MODE_TEST_SECRET", "do not pass on");
    const lines: string[] = [];
    await connected(
      { one: { ...misbehaving(), env: { CONFIGURED: "yes" } } },
      { onStderr: (server, line) => lines.push(`${server} ${line}`) },
    );
    vi.unstubAllEnvs();

    const line = lines.find((candidate) => candidate.startsWith("one ready to misbehave")) ?? "";
    expect(line).toContain('"PATH"');
    expect(line).toContain('"CONFIGURED"');
    expect(line).not.toContain("SECRET");
  });

  it("MCPC-2 stderr goes to the log file and not to the guest", async () => {
    const logFile = join(temporaryFolder(), "mcp.log");
    const connections = await connected({ broken: misbehaving("exit-at-once") }, { logFile });
    const guest = JSON.stringify(connections.toolSet());

    await connections[Symbol.asyncDispose]();

    expect(readFileSync(logFile, "utf8")).toMatch(/\[broken] first line\n.*\[broken] fatal: the database is missing\n/);
    expect(guest).not.toContain("database");
  });
});
