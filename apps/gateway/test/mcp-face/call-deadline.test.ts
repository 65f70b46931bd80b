import type { CallOptions, ModelTool } from "@code-mode/contract";
import { expect, it } from "vitest";
import { withDeadline } from "../../src/mcp-face/call-deadline.ts";

const telemetry = { calls: { completed: 0, failed: 0, pending: 0, notStarted: 0 } };

/** A control that answers only when it is aborted, like a program that waits for a worker. */
const queued: ModelTool = {
  name: "exec",
  kind: "control",
  description: "",
  inputSchema: {},
  call: (_input, options: CallOptions = {}) =>
    new Promise((resolve) => {
      options.signal?.addEventListener("abort", () =>
        resolve({ status: "failed", code: "aborted", error: "aborted", telemetry }),
      );
    }),
};

it("MCPS-3 a program that never got a worker is a timeout that says that nothing ran", async () => {
  const exec = withDeadline(queued, { budgetMs: 100, slackMs: 0, pendingCalls: () => 0 });
  expect(await exec.call({ code: "return 1" })).toMatchObject({
    status: "failed",
    code: "timeout",
    error: expect.stringMatching(/no worker was free within the 0\.1 s .* nothing ran/),
  });
});

it("MCPS-3 a program whose nested calls run is left to the runtime, and a cancelled one stays aborted", async () => {
  const answer = Promise.withResolvers<unknown>();
  const looked = Promise.withResolvers<void>();
  const working = { ...queued, call: () => answer.promise };
  const pendingCalls = (): number => {
    looked.resolve();
    return 1;
  };
  const result = withDeadline(working, { budgetMs: 10, slackMs: 0, pendingCalls }).call({});
  await looked.promise;
  answer.resolve({ status: "waiting" });
  expect(await result).toEqual({ status: "waiting" });
  const stop = new AbortController();
  const aborted = withDeadline(queued, { budgetMs: 60_000, pendingCalls: () => 0 }).call({}, { signal: stop.signal });
  stop.abort();
  expect(await aborted).toMatchObject({ code: "aborted" });
});
