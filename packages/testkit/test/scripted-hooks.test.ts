import type { HookEvent, JsonValue } from "@code-mode/contract";
import { expect, it } from "vitest";
import { hookScriptsOf, ScriptedHooks, scopeOf } from "../src/index.ts";

function eventOf(toolName: string, input: JsonValue): HookEvent {
  return { toolId: `openclaw:core:${toolName}`, toolName, input };
}

function before(hooks: ScriptedHooks, event: HookEvent, signal = new AbortController().signal) {
  return hooks.before(event, scopeOf("s", 1), signal);
}

it("prose rewrites one argument of one tool and leaves other calls alone", async () => {
  const hooks = new ScriptedHooks(hookScriptsOf({ hooks: ["before_tool_call: add.a = 100"] }));
  expect(await before(hooks, eventOf("add", { a: 1, b: 2 }))).toEqual({ input: { a: 100, b: 2 } });
  expect(await before(hooks, eventOf("echo", { a: 1 }))).toBeUndefined();
  expect(hooks.seen.map(({ event }) => event.input)).toEqual([{ a: 1, b: 2 }, { a: 1 }]);
});

it("each hook sees what the one before it left, and a block ends the chain", async () => {
  const prose = ["before_tool_call: add.a = 2", "before_tool_call: add.b = 3", "before_tool_call: block echo"];
  const hooks = new ScriptedHooks(hookScriptsOf({ hooks: prose }));
  expect(await before(hooks, eventOf("add", {}))).toEqual({ input: { a: 2, b: 3 } });
  expect(await before(hooks, eventOf("echo", {}))).toEqual({ block: true, reason: "blocked by script" });
});

it("a hook throws, or hangs until it is given up", async () => {
  const hooks = new ScriptedHooks(
    hookScriptsOf({ hooks: ["before_tool_call: throw add", "before_tool_call: hang echo"] }),
  );
  await expect(before(hooks, eventOf("add", {}))).rejects.toThrow("broken");
  const giveUp = new AbortController();
  const hanging = before(hooks, eventOf("echo", {}), giveUp.signal);
  giveUp.abort();
  await expect(hanging).rejects.toThrow("given up");
});

it("prose that nobody understands is no hook", () => {
  expect(() => hookScriptsOf({ hooks: ["on_message: sing"] })).toThrow("no hook here does");
});
