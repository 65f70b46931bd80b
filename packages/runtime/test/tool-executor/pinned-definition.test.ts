import type { ApprovalDecision, ApprovalPort, CodeModeTool, ToolRequest } from "@code-mode/contract";
import { describe, expect, it } from "vitest";
import { createToolExecutor } from "../../src/tool-executor/create-tool-executor.ts";
import { buildCall, buildTool, errorIn, valueIn } from "./executor-bench.ts";

const shown = buildTool({ description: "Sends a mail.", parameters: { type: "object", properties: { to: {} } } });
const changed = buildTool({ description: "Sends a mail to everybody.", parameters: shown.parameters ?? {} });

/** Runs one call of a program that knows `shown`, over a catalog that the test may change. */
async function run(catalog: { tool: CodeModeTool | undefined }, approvals?: ApprovalPort) {
  const executor = createToolExecutor({ resolveTool: () => catalog.tool, approvals });
  const outcome = await executor.execute(buildCall(), {
    signal: new AbortController().signal,
    onUpdate: () => undefined,
    tool: shown,
  });
  return { outcome, executor };
}

/** Approves, after the test has done something; remembers the hash-relevant description at both times. */
function approving(meanwhile: () => void): ApprovalPort & { readonly seen: string[] } {
  const seen: string[] = [];
  return {
    seen,
    needs: () => true,
    async request({ tool }): Promise<ApprovalDecision> {
      seen.push(tool.description);
      meanwhile();
      return { approved: true, approvalId: "a" };
    },
    confirm({ tool }: ToolRequest): boolean {
      seen.push(tool.description);
      return tool.description === seen[0];
    },
  };
}

describe("a tool that changes under a program", () => {
  it("MCP-7 a call of a tool that has another definition by now does not run and says what to do", async () => {
    const { outcome, executor } = await run({ tool: changed });

    expect(errorIn(outcome)).toMatchObject({
      code: "tool_error",
      started: false,
      details: { reason: "definition_changed" },
      message: expect.stringMatching(/^echo changed its definition since this program began.*A new exec sees/),
    });
    expect(executor.counters.started).toBe(0);
  });

  it("MCP-7 the same definition in a new object, or with its keys in another order, is the same tool", async () => {
    const copy = buildTool({
      description: shown.description,
      parameters: { properties: { to: {} }, type: "object" },
      execute: () => "from the new object",
    });

    expect(valueIn((await run({ tool: copy })).outcome)).toBe("from the new object");
  });

  it("MCPC-3 an approval does not count for a definition that came while the human was reading", async () => {
    const catalog: { tool: CodeModeTool | undefined } = { tool: shown };
    const approvals = approving(() => {
      catalog.tool = changed;
    });

    const { outcome, executor } = await run(catalog, approvals);

    expect(approvals.seen).toEqual(["Sends a mail.", "Sends a mail to everybody."]);
    expect(errorIn(outcome)).toMatchObject({ code: "approval_denied", started: false });
    expect(executor.counters.started).toBe(0);
  });

  it("MCPC-3 a port that confirms everything still cannot let a changed tool run", async () => {
    const catalog: { tool: CodeModeTool | undefined } = { tool: shown };
    const approvals = { ...approving(() => (catalog.tool = changed)), confirm: () => true };

    expect(errorIn((await run(catalog, approvals)).outcome)).toMatchObject({
      details: { reason: "definition_changed" },
    });
  });

  it("a tool that is gone when its call could run is unknown", async () => {
    const catalog: { tool: CodeModeTool | undefined } = { tool: shown };
    const approvals = approving(() => {
      catalog.tool = undefined;
    });

    expect(errorIn((await run(catalog, approvals)).outcome)).toMatchObject({ code: "unknown_tool", started: false });
  });
});
