import type { HookEvent, RunScope } from "@code-mode/contract";
import { expect, it } from "vitest";
import { composeHooks } from "../../src/plugins/compose-hooks.ts";
import type { Plugin, PluginHooks } from "../../src/plugins/plugin-types.ts";

const scope: RunScope = { agentId: "main", sessionId: "s", sessionKey: "s", agentRunId: "r" };
const event: HookEvent = { toolId: "openclaw:core:read", toolName: "read", input: { path: "a" } };

function before(...hooks: (PluginHooks["before_tool_call"] & {})[]) {
  const plugins: Plugin[] = hooks.map((hook, index) => ({ id: `p${index}`, hooks: { before_tool_call: hook } }));
  return composeHooks(plugins, { timeoutMs: 30 }).before(event, scope, new AbortController().signal);
}

it("hooks that answer nothing let the call go on unchanged", async () => {
  expect(
    await before(
      () => undefined,
      () => null,
      async () => ({}) as never,
    ),
  ).toBeUndefined();
});

it("each hook sees the input that the one before it left, and the last one counts", async () => {
  const seen: unknown[] = [];
  const rewrite = (path: string) => (given: HookEvent) => {
    seen.push(given.input);
    return { input: { path } };
  };
  expect(await before(rewrite("b"), rewrite("c"))).toEqual({ input: { path: "c" } });
  expect(seen).toEqual([{ path: "a" }, { path: "b" }]);
});

it("a hook that blocks ends the asking", async () => {
  const blocked = await before(
    () => ({ block: true, reason: "not on Sundays" }),
    () => expect.unreachable(),
  );
  expect(blocked).toEqual({ block: true, reason: "not on Sundays" });
});

it("a hook that throws, is late or answers nonsense blocks the call", async () => {
  const failed = (reason: string) => ({ block: true, reason: `before_tool_call of plugin p0 failed: ${reason}` });
  expect(await before(() => Promise.reject(new Error("oops")))).toEqual(failed("oops"));
  expect(await before(() => new Promise(() => undefined))).toEqual(failed("no answer within 30 ms"));
  expect(await before(() => true as never)).toMatchObject({ block: true });
  expect(await before(() => ({ block: "yes" }) as never)).toMatchObject({ block: true });
});

it("a hook that changes the event in place changes nothing", async () => {
  const given = structuredClone(event);
  await before((copy) => void Object.assign(copy.input as object, { path: "stolen" }));
  expect(event).toEqual(given);
});

it("a failing after-hook is reported and keeps no other from being told", async () => {
  const [warnings, told]: [string[], string[]] = [[], []];
  const plugins: Plugin[] = [
    {
      id: "bad",
      hooks: {
        after_tool_call: () => {
          throw new Error("oops");
        },
      },
    },
    { id: "good", hooks: { after_tool_call: ({ outcome }) => void told.push(String(outcome.ok)) } },
  ];
  const hooks = composeHooks(plugins, { warn: (message) => void warnings.push(message) });
  await hooks.after({ ...event, outcome: { ok: true, value: 1, executedInput: {} } }, scope);
  expect([warnings, told]).toEqual([["after_tool_call of plugin bad failed: oops"], ["true"]]);
});
