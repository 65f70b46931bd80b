import type { JsonObject } from "@code-mode/contract";
import { expect, it, onTestFinished } from "vitest";
import { FakeProvider } from "../src/gateway-cases/fake-provider.ts";
import { readRequest } from "../src/gateway-cases/provider-request.ts";
import { schemaFacts } from "../src/gateway-cases/schema-facts.ts";
import { exportHas, readTrajectory } from "../src/gateway-cases/trajectory.ts";

async function ask(provider: FakeProvider, body: JsonObject): Promise<Response> {
  return fetch(`${provider.url}/chat/completions`, { method: "POST", body: JSON.stringify(body) });
}

async function open(...replies: Parameters<typeof FakeProvider.open>[0]): Promise<FakeProvider> {
  const provider = await FakeProvider.open(replies);
  onTestFinished(() => provider[Symbol.asyncDispose]());
  return provider;
}

it("deltas go over the wire as they are, the end of the script is a text, and every request is kept", async () => {
  const provider = await open({ deltas: [{ tool_calls: [{ id: "a" }] }, { finish_reason: "length" }] });
  const first = await (await ask(provider, { stream: true, n: 1 })).text();
  expect(first).toContain('"tool_calls":[{"id":"a"}]');
  expect(first).toMatch(/"finish_reason":"length".*\n\ndata: \[DONE\]/);
  expect(await (await ask(provider, { stream: true })).text()).toContain('"content":"done"');
  expect(provider.requests).toEqual([{ stream: true, n: 1 }, { stream: true }]);
});

it("a client that does not ask for a stream is refused, so that no case passes without one", async () => {
  expect((await ask(await open(), { stream: false })).status).toBe(400);
});

it("a character is split over two packets", async () => {
  const provider = await open({ deltas: [{ content: "🦞" }], splitInside: "🦞" });
  const { body } = await ask(provider, { stream: true });
  const parts: Uint8Array[] = [];
  for await (const part of body ?? []) parts.push(part);
  expect(parts.some((part) => new TextDecoder().decode(part).includes("\ufffd"))).toBe(true);
  expect(Buffer.concat(parts).toString("utf8")).toContain("🦞");
});

it("a history reads the same in the OpenAI and in the Anthropic format", () => {
  const openAi = readRequest({
    messages: [
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "a", function: { name: "exec", arguments: '{"code":"1"}' } }],
      },
      { role: "tool", tool_call_id: "a", content: "one" },
    ],
  });
  const anthropic = readRequest({
    messages: [
      { role: "assistant", content: [{ type: "tool_use", id: "a", name: "exec", input: { code: "1" } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: [{ type: "text", text: "one" }] }] },
    ],
  });
  for (const { messages } of [openAi, anthropic])
    expect([messages[0]?.calls, messages[1]?.results]).toEqual([
      [{ id: "a", name: "exec", input: { code: "1" } }],
      [{ id: "a", text: "one" }],
    ]);
});

it("an export shows failed calls of MCP servers as failed, and what its strings hold unescaped", () => {
  const call = (outcome: JsonObject): string =>
    JSON.stringify({ type: "call_ended", toolId: "mcp:s:f", parentId: "p", outcome });
  const text = [call({ ok: true, value: { isError: true } }), call({ ok: true, value: 'say "hi"' })].join("\n");
  const trajectory = readTrajectory(text);
  expect(trajectory.calls.map(({ tool, status }) => [tool, status])).toEqual([
    ["f", "error"],
    ["f", "ok"],
  ]);
  expect([exportHas(trajectory, 'say "hi"'), exportHas(trajectory, "bye")]).toEqual([true, false]);
  expect(readTrajectory(`${text}\n{"torn`).parses).toBe(false);
});

it("keywords of a schema are counted wherever they stand, names of properties are not", () => {
  const facts = schemaFacts([{ type: "object", properties: { format: { type: ["string", "null"] } }, required: [] }]);
  expect(facts.keywords).toEqual(["type", "properties", "required", "type as array"]);
  expect(facts).toMatchObject({ allRequired: false, hasNullable: true, isOpen: true });
});
