import type { ModelMessage } from "ai";
import { expect, it } from "vitest";
import { historyRuleOf } from "../../src/provider/history-rule.ts";
import { prepareHistory } from "../../src/provider/prepare-history.ts";

const ids = ["a", "b", "call_1", "bad id!", "x".repeat(60), ""];
const texts = ["", "  ", "hello", "\ud83e half", "🦞"];

/** A history as bad as any: calls without results, results without calls, repeated ids, empty and broken texts. */
function randomHistory(seed: number): ModelMessage[] {
  let state = seed;
  const pick = <Item>(items: readonly Item[]): Item => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return items[Math.floor((state / 2 ** 32) * items.length)] as Item;
  };
  const message = (): ModelMessage => {
    const kind = pick(["user", "assistant", "assistant", "tool", "tool", "system"] as const);
    if (kind === "user" || kind === "system") return { role: kind, content: pick(texts) };
    const toolCallId = pick(ids);
    const toolName = pick(["exec", "odd.name", ""]);
    if (kind === "tool")
      return {
        role: "tool",
        content: [{ type: "tool-result", toolCallId, toolName, output: { type: "text", value: pick(texts) } }],
      };
    const call = {
      type: "tool-call",
      toolCallId,
      toolName,
      input: pick<unknown>([{ code: pick(texts) }, "raw", null, [1]]),
    } as const;
    return {
      role: "assistant",
      content: [
        { type: "text", text: pick(texts) },
        ...(pick([true, false]) ? [call, { ...call, toolCallId: pick(ids) }] : []),
      ],
    };
  };
  return Array.from({ length: pick([1, 3, 8, 15]) }, message);
}

type Part = { readonly type: string; readonly text?: string; readonly toolCallId?: string; readonly input?: unknown };

function assertAssistant(
  parts: readonly Part[],
  next: ModelMessage | undefined,
  used: Set<string>,
  form: RegExp,
): void {
  expect(parts.length).toBeGreaterThan(0);
  for (const { type, text = "" } of parts) if (type === "text") expect(text.trim()).not.toBe("");
  const asked = parts.filter(({ type }) => type === "tool-call");
  for (const { toolCallId = "", input } of asked) {
    expect(toolCallId).toMatch(form);
    expect(used.has(toolCallId)).toBe(false);
    used.add(toolCallId);
    expect([input instanceof Object, Array.isArray(input)]).toEqual([true, false]);
  }
  const answered =
    next?.role === "tool" ? next.content.map((part) => ("toolCallId" in part ? part.toolCallId : "")) : [];
  expect(answered).toEqual(asked.map(({ toolCallId }) => toolCallId));
}

function assertValid(messages: readonly ModelMessage[], form: RegExp): void {
  expect(JSON.stringify(messages)).not.toMatch(/\\ud[89a-f]/);
  const used = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.role === "user") expect(String(message.content).trim()).not.toBe("");
    if (message.role === "tool") expect(messages[index - 1]?.role).toBe("assistant");
    if (message.role === "assistant")
      assertAssistant(message.content as readonly Part[], messages[index + 1], used, form);
  }
}

it.each(["p/gpt", "p/mistral"])(
  "PRV-2 any history goes out valid to %s: one result behind every call, unique ids, nothing empty or broken",
  (name) => {
    const rule = historyRuleOf({ api: "openai-chat", name });
    for (let seed = 1; seed <= 1_000; seed++) {
      const history = randomHistory(seed);
      const before = JSON.stringify(history);
      const { messages } = prepareHistory(history, { rule });
      expect(JSON.stringify(history), `seed ${seed}`).toBe(before);
      assertValid(messages, rule.toolCallIds);
    }
  },
);
