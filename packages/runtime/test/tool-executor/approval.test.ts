import type { ApprovalDecision, ApprovalPort, ApprovalRequest } from "@code-mode/contract";
import { describe, expect, it } from "vitest";
import { buildBench, buildTool, errorIn, valueIn } from "./executor-bench.ts";

function approvals(
  request: (asked: ApprovalRequest) => unknown,
  more: Partial<ApprovalPort> = {},
): { approvals: ApprovalPort } {
  return {
    approvals: {
      needs: () => true,
      request: async (asked) => (await request(asked)) as ApprovalDecision,
      confirm: () => true,
      ...more,
    },
  };
}

describe("approval", () => {
  it("APR-1 a call that needs approval reports the open request and runs after a yes", async () => {
    const decision = Promise.withResolvers<ApprovalDecision>();
    const asked = Promise.withResolvers<ApprovalRequest>();
    const bench = buildBench(
      buildTool({ name: "exec" }),
      approvals((request) => {
        request.onPending("apr-7");
        asked.resolve(request);
        return decision.promise;
      }),
    );
    const outcome = bench.run({ input: { command: "ls" } });
    expect(await asked.promise).toMatchObject({
      input: { command: "ls" },
      tool: { name: "exec" },
      call: { callId: "c1", cellId: "cell-1" },
    });
    expect(bench.updates).toEqual([{ type: "awaiting_approval", approvalId: "apr-7" }]);
    expect(bench.executor.counters.started).toBe(0);
    decision.resolve({ approved: true, approvalId: "apr-7" });
    expect(valueIn(await outcome)).toEqual({ command: "ls" });
    expect(bench.updates.map((update) => update.type)).toEqual(["awaiting_approval", "started"]);
  });

  it("APR-2 a denial rejects with approval_denied and the reason, and nothing runs", async () => {
    const bench = buildBench(
      buildTool(),
      approvals(() => ({ approved: false, code: "approval_denied", reason: "not today" })),
    );
    expect(errorIn(await bench.run())).toMatchObject({
      code: "approval_denied",
      started: false,
      message: expect.stringContaining("not today"),
    });
    expect(bench.executor.counters.started).toBe(0);
  });

  it("APR-3 an expired request rejects with approval_expired", async () => {
    const bench = buildBench(
      buildTool(),
      approvals(() => ({ approved: false, code: "approval_expired" })),
    );
    expect(errorIn(await bench.run())).toMatchObject({ code: "approval_expired", started: false });
  });

  it("APR-2 a grant that no longer fits at dispatch does not run", async () => {
    const confirmed: unknown[] = [];
    const bench = buildBench(
      buildTool(),
      approvals(() => ({ approved: true, approvalId: "a" }), {
        confirm: (request, approvalId) => {
          confirmed.push(request.input, approvalId);
          return false;
        },
      }),
    );
    expect(errorIn(await bench.run({ input: { x: 1 } }))).toMatchObject({ code: "approval_denied", started: false });
    expect(confirmed).toEqual([{ x: 1 }, "a"]);
  });

  it("a call that needs none is not asked about and not confirmed", async () => {
    const bench = buildBench(
      buildTool(),
      approvals(
        () => {
          throw new Error("asked");
        },
        { needs: () => false, confirm: () => false },
      ),
    );
    expect(valueIn(await bench.run())).toEqual({});
  });

  it.each([undefined, null, {}, { approved: "yes" }, { approved: 1 }])(
    "a decision that is no clear yes refuses: %j",
    async (decision) => {
      expect(
        errorIn(
          await buildBench(
            buildTool(),
            approvals(() => decision),
          ).run(),
        ).code,
      ).toBe("approval_denied");
    },
  );

  it("a port that throws refuses, whichever of its functions fails", async () => {
    const fail = () => {
      throw new Error("port down");
    };
    const request = buildBench(buildTool(), approvals(fail));
    expect(errorIn(await request.run())).toMatchObject({
      code: "approval_denied",
      message: expect.stringContaining("port down"),
    });
    const needs = buildBench(
      buildTool(),
      approvals(() => ({ approved: false, code: "approval_denied" }), { needs: fail }),
    );
    expect(errorIn(await needs.run()).code).toBe("approval_denied");
    const confirm = buildBench(
      buildTool(),
      approvals(() => ({ approved: true }), { confirm: fail }),
    );
    expect(errorIn(await confirm.run()).code).toBe("approval_denied");
  });

  it("without anybody to ask, a tool that always needs approval is refused", async () => {
    expect(errorIn(await buildBench(buildTool({ approval: "always" })).run())).toMatchObject({
      code: "approval_denied",
      started: false,
    });
    expect(valueIn(await buildBench(buildTool({ approval: "never" })).run())).toEqual({});
  });

  it("an abort while a human decides settles at once, and a late yes starts nothing", async () => {
    const decision = Promise.withResolvers<ApprovalDecision>();
    const asked = Promise.withResolvers<ApprovalRequest>();
    const bench = buildBench(
      buildTool(),
      approvals((request) => {
        asked.resolve(request);
        return decision.promise;
      }),
    );
    const outcome = bench.run();
    const request = await asked.promise;
    bench.abort.abort();
    expect(errorIn(await outcome)).toMatchObject({ code: "aborted", started: false });
    expect(request.signal.aborted).toBe(true);
    decision.resolve({ approved: true });
    request.onPending("late");
    await Promise.resolve();
    await Promise.resolve();
    expect(bench.executor.counters.started).toBe(0);
    expect(bench.updates).toEqual([]);
    expect(bench.records).toHaveLength(1);
  });
});
