import type { CodeModeTool } from "@code-mode/contract";
import { describe, expect, it } from "vitest";
import { completedValue, createRuntime, failureOf, ManualTool, scopeOf, waitingOf } from "./support.ts";

const tool = (name: string, extra: Partial<CodeModeTool> = {}): CodeModeTool => ({
  name,
  description: name,
  execute: () => `${name} ran`,
  ...extra,
});

describe("restartSafe", () => {
  const ran: string[] = [];
  const noting = (name: string, extra: Partial<CodeModeTool> = {}): CodeModeTool =>
    tool(name, { ...extra, execute: () => ran.push(name) });
  const extra = [
    ...["read", "ls", "find", "grep", "session_status", "write", "exec"].map((name) => noting(name)),
    noting("safe_plugin", { origin: { kind: "plugin", pluginId: "p" }, replaySafe: true }),
    noting("plain_plugin", { origin: { kind: "plugin", pluginId: "p" } }),
    noting("claimed_core", { replaySafe: true }),
    noting("client_tool", { origin: { kind: "client" }, replaySafe: true }),
    noting("safe_mcp", { origin: { kind: "mcp", server: "m" }, replaySafe: true }),
    noting("plain_mcp", { origin: { kind: "mcp", server: "m" } }),
  ];

  it("EXEC-11 only audited core tools and tools declared replay-safe run, the others are refused before they run", async () => {
    await using codeMode = createRuntime({ extra });
    const code = `
      const outcome = async (call) => { try { await call(); return "ran" } catch (e) { return e.code } };
      const names = ["read", "ls", "find", "grep", "session_status", "safe_plugin", "write", "exec", "plain_plugin", "claimed_core", "client_tool"];
      const all = {};
      for (const name of names) all[name] = await outcome(() => tools[name]({}));
      all.safe_mcp = await outcome(() => MCP.m.safeMcp({}));
      all.plain_mcp = await outcome(() => MCP.m.plainMcp({}));
      return all`;
    const refused = "not_replay_safe";
    expect(completedValue(await codeMode.exec({ code, restartSafe: true }))).toEqual({
      read: "ran",
      ls: "ran",
      find: "ran",
      grep: "ran",
      session_status: "ran",
      safe_plugin: "ran",
      safe_mcp: "ran",
      write: refused,
      exec: refused,
      plain_plugin: refused,
      claimed_core: refused,
      client_tool: refused,
      plain_mcp: refused,
    });
    expect(ran).toEqual(["read", "ls", "find", "grep", "session_status", "safe_plugin", "safe_mcp"]);
    expect(completedValue(await codeMode.exec({ code: "await tools.write({}); return 'ran'" }))).toBe("ran");
  });

  it("EXEC-11 search, describe and API always work, and a refusal that nobody catches is tool_error", async () => {
    await using codeMode = createRuntime({ extra });
    expect(
      completedValue(
        await codeMode.exec({
          code: "return [(await tools.search('write')).length > 0, (await tools.describe('write')).name, (await API.list('mcp')).length > 0, (await MCP.m.$api()).server]",
          restartSafe: true,
        }),
      ),
    ).toEqual([true, "write", true, "m"]);
    expect(failureOf(await codeMode.exec({ code: "await tools.write({})", restartSafe: true }))).toMatchObject({
      code: "tool_error",
      details: { code: "not_replay_safe", toolId: "openclaw:core:write" },
      telemetry: { calls: { completed: 0, failed: 0, notStarted: 1 } },
    });
  });

  it("EXEC-11 a suspended result is marked, also after wait, and others are not", async () => {
    await using codeMode = createRuntime({ extra });
    const code =
      "await yield_control(); await yield_control(); try { await tools.write({}) } catch (e) { return e.code }";
    const first = waitingOf(await codeMode.exec({ code, restartSafe: true }));
    expect(first.restartSafe).toBe(true);
    const second = waitingOf(await codeMode.wait({ runId: first.runId }));
    expect(second.restartSafe).toBe(true);
    expect(completedValue(await codeMode.wait({ runId: first.runId }))).toBe("not_replay_safe");
    expect("restartSafe" in (await codeMode.exec({ code, restartSafe: false }))).toBe(false);
  });
});

describe("what ran", () => {
  it("TEL-1 a failed cell lists its calls in order with how each ended, and counts them", async () => {
    await using codeMode = createRuntime();
    const code =
      "await tools.add({ a: 1, b: 2 }); await tools.fail({ message: 'm' }).catch(() => 0); await tools.add({ a: 'x' }).catch(() => 0); await tools.call('nope', {}).catch(() => 0); throw new Error('after')";
    expect(failureOf(await codeMode.exec({ code }))).toMatchObject({
      code: "guest_error",
      details: {
        calls: [
          { id: "openclaw:core:add", status: "completed" },
          { id: "openclaw:core:fail", status: "failed" },
          { id: "openclaw:core:add", status: "notStarted" },
          { id: "nope", status: "notStarted" },
        ],
      },
      telemetry: { calls: { completed: 1, failed: 1, pending: 0, notStarted: 2 } },
    });
  });

  it("TEL-1 a cell that fails while a call runs lists it as pending, and the call is aborted", async () => {
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({ extra: [slow.tool] });
    const code = "tools.slow({}); await tools.echo({}); throw new Error('early')";
    expect(failureOf(await codeMode.exec({ code }))).toMatchObject({
      details: {
        calls: [
          { id: "openclaw:core:slow", status: "pending" },
          { id: "openclaw:core:echo", status: "completed" },
        ],
      },
      telemetry: { calls: { completed: 1, failed: 0, pending: 1, notStarted: 0 } },
    });
    expect(slow.signals[0]?.aborted).toBe(true);
  });

  it("TEL-1 a cell over its output budget or out of time lists its calls too", async () => {
    await using codeMode = createRuntime({ config: { maxOutputBytes: 1024, timeoutMs: 300 } });
    const calls = [{ id: "openclaw:core:echo", status: "completed" }];
    expect(failureOf(await codeMode.exec({ code: "await tools.echo({}); return 'x'.repeat(2000)" }))).toMatchObject({
      code: "output_limit_exceeded",
      details: { calls },
    });
    expect(failureOf(await codeMode.exec({ code: "await tools.echo({}); for (;;) {}" }))).toMatchObject({
      code: "timeout",
      details: { calls, timeoutMs: 300 },
    });
  });

  it("WAIT-4 a call starts once although its cell is parked, suspended, resumed and then fails", async () => {
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({ extra: [slow.tool], config: { maxConcurrentCells: 1 } });
    const code =
      "const held = [1, 2].map((n) => tools.slow({ n })); await yield_control(); await held[0]; await yield_control(); await held[1]; throw new Error('end')";
    const { runId } = waitingOf(await codeMode.exec({ code }));
    slow.resolve(0, "a");
    waitingOf(await codeMode.wait({ runId }));
    expect(completedValue(await codeMode.exec({ code: "return 1" }))).toBe(1);
    slow.resolve(1, "b");
    expect(failureOf(await codeMode.wait({ runId }))).toMatchObject({
      error: expect.stringMatching(/^Error: end/),
      telemetry: { calls: { completed: 2, failed: 0, pending: 0, notStarted: 0 } },
    });
    expect(slow.inputs).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it("WAIT-2 replies arrive in the order in which the calls settled", async () => {
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({ extra: [slow.tool] });
    const { runId } = waitingOf(
      await codeMode.exec({
        code: "const order = []; const all = [0, 1, 2].map((n) => tools.slow({ n }).then(() => order.push(n), () => order.push(-n))); await yield_control(); await Promise.all(all); return order",
      }),
    );
    slow.resolve(2, 0);
    slow.reject(1, new Error("one"));
    slow.resolve(0, 0);
    // Let the three settlements reach the host in that order before the cell looks.
    await new Promise((resolve) => setImmediate(resolve));
    expect(completedValue(await codeMode.wait({ runId }))).toEqual([2, -1, 0]);
  });

  it("TEL-1 callCount adds up over the cells of a run and starts anew in the next run", async () => {
    await using codeMode = createRuntime();
    const twice = {
      code: "await tools.echo({}); await tools.echo({}); await tools.search('x'); await API.search('x')",
    };
    const count = async (run: string) => {
      const { callCount, searchCount } = (await codeMode.exec(twice, { scope: scopeOf("s", run) })).telemetry;
      return [callCount, searchCount];
    };
    expect([await count("r1"), await count("r1"), await count("r2")]).toEqual([
      [2, 2],
      [4, 4],
      [2, 2],
    ]);
  });
});
