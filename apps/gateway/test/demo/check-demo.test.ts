import type { CodeModeResult } from "@code-mode/contract";
import { expect, it } from "vitest";
import { checkDemo } from "../../src/demo/check-demo.ts";
import type { DemoReport } from "../../src/demo/run-demo.ts";

const call = (toolId: string) => ({ toolId, parentToolCallId: "c", durationMs: 1, ok: true, progress: 0 });
const control = (name: string, status: string) => ({
  toolCallId: name,
  name,
  input: {},
  result: { status } as CodeModeResult,
  durationMs: 1,
});
const slow = call("openclaw:sample:warehouse_count");

const good: DemoReport = {
  visibleTools: Array.from({ length: 3 }, () => ["exec", "wait"]),
  controls: [control("exec", "waiting"), control("wait", "completed")],
  calls: [slow, call("mcp:filesystem:read_text_file"), call("mcp:everything:get-sum")],
  answer: "The 14 apples at 3 each are worth 42.",
  tokens: { codeMode: 1, direct: 2, directTools: 3 },
  durationMs: 1,
};

it("a turn as planned has no faults", () => {
  expect(checkDemo(good)).toEqual([]);
});

it.each([
  [
    "another visible tool",
    {
      visibleTools: [
        ["exec", "wait"],
        ["exec", "wait", "read"],
        ["exec", "wait"],
      ],
    },
  ],
  ["an exec that does not wait", { controls: [control("exec", "completed"), control("wait", "completed")] }],
  ["a wait that does not complete", { controls: [control("exec", "waiting"), control("wait", "waiting")] }],
  ["a third control", { controls: [...good.controls, control("wait", "completed")] }],
  ["a slow tool that ran twice", { calls: [...good.calls, slow] }],
  [
    "a failed server call",
    { calls: [slow, { ...call("mcp:filesystem:read_text_file"), ok: false }, call("mcp:everything:get-sum")] },
  ],
  ["a wrong answer", { answer: "I do not know." }],
])("%s is a fault", (_what, change) => {
  expect(checkDemo({ ...good, ...change })).toHaveLength(1);
});
