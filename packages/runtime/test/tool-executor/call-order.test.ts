import type { ApprovalPort, HookPort, PolicyPort } from "@code-mode/contract";
import { describe, expect, it } from "vitest";
import { createToolExecutor } from "../../src/tool-executor/create-tool-executor.ts";
import { buildBench, buildCall, buildTool, errorIn, valueIn } from "./executor-bench.ts";

type Trace = { steps: string[]; hooks: HookPort; policy: PolicyPort; approvals: ApprovalPort };

function buildTrace(): Trace {
  const steps: string[] = [];
  return {
    steps,
    policy: {
      check: ({ input }) => {
        steps.push(`policy ${JSON.stringify(input)}`);
        return { allow: true };
      },
    },
    hooks: {
      before: async ({ input }) => {
        steps.push(`before ${JSON.stringify(input)}`);
        return { input: { n: 2 } };
      },
      after: async ({ input, outcome }) => {
        steps.push(`after ${JSON.stringify(input)} ${outcome.ok}`);
      },
    },
    approvals: {
      needs: ({ input }) => {
        steps.push(`needs ${JSON.stringify(input)}`);
        return true;
      },
      request: async ({ input, onPending }) => {
        steps.push(`request ${JSON.stringify(input)}`);
        onPending("a1");
        return { approved: true, approvalId: "a1" };
      },
      confirm: ({ input }, approvalId) => {
        steps.push(`confirm ${JSON.stringify(input)} ${approvalId}`);
        return true;
      },
    },
  };
}

describe("order of a call", () => {
  it("NEST-4 policy, hooks, schema, approval, re-checks, execution, after-hooks and record come in this order", async () => {
    const { steps, ...ports } = buildTrace();
    const parameters = {
      type: "object",
      properties: {
        get n() {
          steps.push("schema");
          return { type: "number" };
        },
      },
    };
    const tool = buildTool({
      parameters,
      execute: (input) => {
        steps.push(`execute ${JSON.stringify(input)}`);
        return "done";
      },
    });
    const executor = createToolExecutor({
      resolveTool: () => {
        steps.push("resolve");
        return tool;
      },
      ...ports,
      recorder: { record: (record) => steps.push(`record ${JSON.stringify(record.executedInput)}`) },
    });
    const outcome = await executor.execute(buildCall({ input: { n: 1 } }), {
      signal: new AbortController().signal,
      onUpdate: (update) => steps.push(`update ${update.type} ${update.approvalId ?? ""}`.trim()),
    });
    expect(outcome).toEqual({ ok: true, value: "done", executedInput: { n: 2 } });
    const distinct = steps.filter((step, index) => step !== "schema" || steps[index - 1] !== "schema");
    expect(distinct).toEqual([
      "resolve",
      'policy {"n":1}',
      'before {"n":1}',
      "schema",
      'needs {"n":2}',
      'request {"n":2}',
      "update awaiting_approval a1",
      "resolve",
      'policy {"n":2}',
      'confirm {"n":2} a1',
      "update started",
      'execute {"n":2}',
      'after {"n":2} true',
      'record {"n":2}',
    ]);
  });

  it("NEST-4 a tool that is denied while its call waits for a human does not run", async () => {
    let allowed = true;
    const bench = buildBench(buildTool(), {
      policy: { check: () => (allowed ? { allow: true } : { allow: false, reason: "gone" }) },
      approvals: {
        needs: () => true,
        request: async () => {
          allowed = false;
          return { approved: true };
        },
        confirm: () => true,
      },
    });
    expect(errorIn(await bench.run())).toMatchObject({ code: "unknown_tool", started: false });
    expect(bench.executor.counters.started).toBe(0);
  });
});

describe("unknown and denied tools", () => {
  it("CAT-6 a denied tool is refused with the very same error as an unknown one", async () => {
    const denied = await buildBench(buildTool(), {
      policy: { check: () => ({ allow: false, reason: "secret reason" }) },
    }).run();
    const unknown = await buildBench(buildTool(), { resolveTool: () => undefined }).run();
    expect(denied).toEqual(unknown);
    expect(errorIn(denied)).toMatchObject({ name: "ToolError", code: "unknown_tool", toolId: "t", started: false });
    expect(errorIn(denied).message).not.toContain("secret");
  });

  it("a policy that throws denies", async () => {
    const bench = buildBench(buildTool(), {
      policy: {
        check: () => {
          throw new Error("database down");
        },
      },
    });
    expect(errorIn(await bench.run()).code).toBe("unknown_tool");
  });

  it("a refused call is recorded once, with the id it asked for", async () => {
    const bench = buildBench(buildTool());
    await bench.run({ toolId: "openclaw:core:nothing", input: { a: 1 } });
    expect(bench.records).toMatchObject([
      { toolName: "openclaw:core:nothing", executedInput: { a: 1 }, outcome: { ok: false, started: false } },
    ]);
  });

  it("a resolver that throws fails the call instead of rejecting", async () => {
    const bench = buildBench(buildTool(), {
      resolveTool: () => {
        throw new Error("catalog gone");
      },
    });
    expect(errorIn(await bench.run())).toMatchObject({
      code: "tool_error",
      started: false,
      message: expect.stringContaining("catalog gone"),
    });
  });
});

describe("restart-safe cells", () => {
  const safe = [
    ...["read", "ls", "find", "grep", "session_status"].map((name) => buildTool({ name })),
    buildTool({ name: "read", origin: { kind: "core" } }),
    buildTool({ origin: { kind: "plugin", pluginId: "tickets" }, replaySafe: true }),
    buildTool({ origin: { kind: "mcp", server: "github" }, replaySafe: true }),
  ];
  const unsafe = [
    buildTool({ name: "write" }),
    buildTool({ name: "write", replaySafe: true }),
    buildTool({ name: "read", origin: { kind: "plugin", pluginId: "tickets" } }),
    buildTool({ name: "read", origin: { kind: "mcp", server: "github" } }),
    buildTool({ name: "read", origin: { kind: "client" }, replaySafe: true }),
  ];

  it.each(safe)("EXEC-11 $name of $origin.kind with replaySafe $replaySafe runs", async (tool) => {
    expect(valueIn(await buildBench(tool).run({ restartSafe: true }))).toEqual({});
  });

  it.each(unsafe)(
    "EXEC-11 $name of $origin.kind with replaySafe $replaySafe is refused before hooks see it",
    async (tool) => {
      const bench = buildBench(tool, { hooks: { before: async () => undefined, after: async () => undefined } });
      expect(errorIn(await bench.run({ restartSafe: true }))).toMatchObject({
        code: "not_replay_safe",
        started: false,
      });
      expect(bench.executor.counters).toMatchObject({ hooked: 0, started: 0 });
      expect(valueIn(await bench.run())).toEqual({});
    },
  );
});
