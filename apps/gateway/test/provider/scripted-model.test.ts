import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, type JSONValue, jsonSchema, streamText, type ToolModelMessage, type ToolSet, tool } from "ai";
import { expect, it } from "vitest";
import { fillExpressions } from "../../src/provider/fill-expressions.ts";
import { Models } from "../../src/provider/models.ts";
import { parseScript } from "../../src/provider/parse-script.ts";
import { startScriptedModel } from "../../src/provider/start-scripted-model.ts";
import { TemporaryFolder } from "../temporary-folder.ts";

const tools: ToolSet = {
  exec: tool({ description: "Run.", inputSchema: jsonSchema<Record<string, unknown>>({ type: "object" }) }),
};

it("PRV-3 a script is replayed over HTTP step by step, with expressions on earlier results", async () => {
  await using model = await startScriptedModel(
    parseScript(
      `{ steps: [
        { text: "first", toolCalls: [{ name: "exec", input: { code: "return \`\${1 + 1}\`" } }] },
        { toolCalls: [{ name: "exec", input: { id: "\${results[0].runId}", all: "\${results[0]}" } }] },
        { text: "You said \${message}: \${results[-1].list[1]}" },
      ] }`,
      "script",
    ),
  );
  const chat = createOpenAICompatible({ name: "scripted", baseURL: model.baseUrl }).chatModel("scripted");
  const first = await generateText({ model: chat, tools, prompt: "hello" });
  expect([first.text, first.finishReason]).toEqual(["first", "tool-calls"]);
  expect(first.toolCalls[0]).toMatchObject({ toolName: "exec", input: { code: "return `${1 + 1}`" } });
  const answer = (toolCallId: string, value: JSONValue): ToolModelMessage => ({
    role: "tool",
    content: [{ type: "tool-result", toolCallId, toolName: "exec", output: { type: "json", value } }],
  });
  const messages = [
    { role: "user", content: "hello" } as const,
    ...first.responseMessages,
    answer("call_1_1", { runId: "r1" }),
  ];
  const second = await generateText({ model: chat, tools, messages });
  expect(second.toolCalls[0]?.input).toEqual({ id: "r1", all: { runId: "r1" } });
  const third = streamText({
    model: chat,
    tools,
    messages: [...messages, ...second.responseMessages, answer("call_2_1", { list: [1, 2] })],
  });
  expect(await third.text).toBe("You said hello: 2");
  expect(model.requests).toHaveLength(3);
  expect(model.requests[0]?.tools).toHaveLength(1);
});

it("PRV-3 a script that is over, or refers to nothing, is a clear error of the model server", async () => {
  await using model = await startScriptedModel(parseScript('{ steps: [{ text: "${results[0].runId}" }] }', "script"));
  const ask = async (messages: object[]): Promise<unknown> => {
    const reply = await fetch(`${model.baseUrl}/chat/completions`, {
      method: "POST",
      body: JSON.stringify({ messages }),
    });
    return [reply.status, ((await reply.json()) as { error: { message: string } }).error.message];
  };
  expect(await ask([{ role: "user", content: "x" }])).toEqual([
    400,
    expect.stringContaining("${results[0].runId} refers to nothing"),
  ]);
  expect(await ask([{ role: "assistant", content: "x" }])).toEqual([
    400,
    expect.stringContaining("the script has 1 steps"),
  ]);
});

it("expressions see own members only, and a second dollar sign keeps them as text", () => {
  const facts = { results: [{ a: { "b c": [true] } }], message: "hi" };
  expect(fillExpressions('${results[0].a["b c"][0]}', facts)).toBe(true);
  expect(fillExpressions("x $${message} ${other} ${message}", facts)).toBe("x ${message} ${other} hi");
  expect(() => fillExpressions("${results[0].constructor}", facts)).toThrow("refers to nothing");
});

it.each([
  ["{", "script: "],
  ["{ steps: [] }", "steps: "],
  ["{ steps: [{ txt: 1 }] }", "txt"],
])("a script %s is refused with its name", (text, message) => {
  expect(() => parseScript(text, "script")).toThrow(message);
});

it("a configured scripted provider is started on first use and its requests can be held back", async () => {
  using folder = new TemporaryFolder();
  folder.write("s.json5", '{ steps: [{ text: "hi" }] }');
  await using models = new Models({
    baseDir: folder.path,
    models: { default: "s/x", providers: { s: { api: "scripted", script: "./s.json5" } } },
  });
  const seen: unknown[] = [];
  const open = await models.open(undefined, (body) => void seen.push(body));
  expect((await generateText({ model: open.languageModel, prompt: "a" })).text).toBe("hi");
  expect(seen).toMatchObject([{ messages: [{ role: "user", content: "a" }] }]);
  const held = await models.open(undefined, () => {
    throw new Error("not this one");
  });
  await expect(generateText({ model: held.languageModel, prompt: "a" })).rejects.toThrow("not this one");
  expect((await models.scripted("s")).requests).toHaveLength(1);
});

it("a model that is not configured is named with those that are", async () => {
  const models = (providers: object) => new Models({ baseDir: "/", models: { providers: providers as never } });
  const open = (reference: string | undefined, providers: object): Promise<unknown> =>
    models(providers).open(reference, () => undefined);
  await expect(open(undefined, {})).rejects.toThrow("no model is configured");
  await expect(open("opnai/x", { openai: { api: "openai-chat" } })).rejects.toThrow("Did you mean openai");
  await expect(open("openai/x", { openai: { api: "openai-chat" } })).rejects.toThrow(
    "models.providers.openai.baseUrl: missing",
  );
  await expect(open("a/x", { a: { api: "anthropic" } })).rejects.toThrow("models.providers.a.apiKey: missing");
  await expect(open("g/x", { g: { api: "google" } })).rejects.toThrow("${GOOGLE_API_KEY}");
});

it("PRV-3 a scripted model streams text and arguments in pieces", async () => {
  const text = "A text that is longer than one piece 🦞🦞.";
  await using model = await startScriptedModel({
    steps: [{ text, toolCalls: [{ name: "exec", input: { code: "return 1 + 1" } }] }],
  });
  const chat = createOpenAICompatible({ name: "scripted", baseURL: model.baseUrl }).chatModel("scripted");
  const reply = streamText({ model: chat, tools, prompt: "hello" });
  const pieces: string[] = [];
  for await (const piece of reply.textStream) pieces.push(piece);
  expect([pieces.length, pieces.join("")]).toEqual([3, text]);
  expect((await reply.toolCalls)[0]).toMatchObject({ toolCallId: "call_1_1", input: { code: "return 1 + 1" } });
});
