import { fileURLToPath } from "node:url";
import type { ModelMessage } from "ai";
import { expect, it } from "vitest";
import type { ProviderConfig } from "../../src/config/config-schema.ts";
import type { WireReply, WireRequest } from "../provider/loopback-provider.ts";
import {
  anthropicCall,
  anthropicReply,
  anthropicText,
  chatCall,
  chatReply,
  geminiReply,
} from "../provider/wire-replies.ts";
import { openTurns } from "./open-turns.ts";

type Format = {
  readonly api: ProviderConfig["api"];
  readonly call: WireReply;
  readonly answer: WireReply;
  readonly path: RegExp;
  readonly key: string;
  readonly usage: readonly [number, number];
  /** Name and input schema of each offered tool. */
  tools(request: WireRequest): readonly { name: string; schema: unknown }[];
};

// biome-ignore lint/suspicious/noExplicitAny: bodies of many formats
type Body = any;
const code = { code: "return '🦞'" };

const formats: readonly Format[] = [
  {
    api: "openai-chat",
    call: chatCall("exec", code),
    answer: chatReply([{ content: "all " }, { content: "done" }, { finish_reason: "stop" }]),
    path: /^\/v1\/chat\/completions$/,
    key: "authorization",
    usage: [20, 10],
    tools: ({ body }) => body.tools.map((tool: Body) => ({ name: tool.function.name, schema: tool.function })),
  },
  {
    api: "anthropic",
    call: anthropicReply([anthropicText("I run it."), anthropicCall("exec", code)], "tool_use"),
    answer: anthropicReply(
      [{ start: { type: "text", text: "" }, deltas: ["all ", "done"].map((text) => ({ type: "text_delta", text })) }],
      "end_turn",
    ),
    path: /^\/v1\/messages$/,
    key: "x-api-key",
    usage: [24, 14],
    tools: ({ body }) => body.tools.map((tool: Body) => ({ name: tool.name, schema: tool })),
  },
  {
    api: "google",
    call: geminiReply([[{ functionCall: { name: "exec", args: code } }]]),
    answer: geminiReply([[{ text: "all " }], [{ text: "done" }]]),
    path: /^\/v1beta\/models\/test:streamGenerateContent\?alt=sse$/,
    key: "x-goog-api-key",
    usage: [18, 8],
    tools: ({ body }) =>
      body.tools
        .flatMap((tool: Body) => tool.functionDeclarations)
        .map((tool: Body) => ({ name: tool.name, schema: tool })),
  },
];

it.each(formats)(
  "PRV-1 a turn over the $api format: streamed, with usage and cost, key in its header alone",
  async ({ api, ...format }) => {
    const price = { inputPerMTok: 2, outputPerMTok: 10 };
    await using open = await openTurns({
      replies: [format.call, format.answer],
      provider: { api, models: { test: { price } } },
    });
    const heard: string[] = [];
    const turn = open.turns.start("s", { message: "go" });
    turn.onText((delta) => heard.push(delta));
    const [inputTokens, outputTokens] = format.usage;
    const costUsd = Number(((inputTokens * 2 + outputTokens * 10) / 1_000_000).toFixed(9));
    expect(await turn.done).toMatchObject({
      status: "completed",
      text: "all done",
      steps: 2,
      usage: { inputTokens, outputTokens, requests: 2, costUsd },
    });
    expect(heard.slice(-2)).toEqual(["all ", "done"]);
    expect(open.results()).toMatchObject([{ status: "completed", value: "🦞" }]);
    const responses = open.events().filter(({ type }) => type === "model_response");
    expect(responses).toMatchObject([
      { finishReason: "tool-calls", step: 1 },
      { finishReason: "stop", step: 2, usage: { inputTokens: inputTokens / 2 } },
    ]);
    expect(open.events().at(-1)).toMatchObject({ type: "turn_ended", usage: { requests: 2, costUsd } });
    for (const { path, headers, body } of open.provider.requests) {
      expect(path).toMatch(format.path);
      expect(String(headers[format.key])).toContain("secret-key-of-a-test");
      expect(JSON.stringify(body) + path).not.toContain("secret-key-of-a-test");
    }
  },
);

/** Every key of a JSON Schema and below, apart from names of properties. */
function keywordsOf(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === "properties" ? [key, ...Object.values(value as object).flatMap(keywordsOf)] : [key, ...keywordsOf(value)],
  );
}

it.each(formats)("PRV-2 exec and wait go out flat and not strict over $api (P21, P22)", async ({ api, ...format }) => {
  await using open = await openTurns({ replies: [format.answer], provider: { api } });
  await open.turns.run("s", { message: "go" });
  const tools = format.tools(open.provider.requests[0] as WireRequest);
  expect(tools.map(({ name }) => name)).toEqual(["exec", "wait"]);
  for (const { schema } of tools) {
    const { description, parameters, parametersJsonSchema, input_schema, ...rest } = schema as Record<string, unknown>;
    const input = parameters ?? parametersJsonSchema ?? input_schema;
    const allowed = ["type", "properties", "required", "description", "enum", "additionalProperties"];
    expect(keywordsOf(input).filter((key) => !allowed.includes(key))).toEqual([]);
    expect(JSON.stringify(input)).not.toMatch(/"type":\s*\[/);
    expect(rest).not.toHaveProperty("strict");
    expect(String(description).length).toBeLessThanOrEqual(8192);
  }
});

it("PRV-2 what the model thought goes back byte for byte, before its call (P16)", async () => {
  const thinking = "a b é sk-abcdefghijklmnopqrstuvwxyz123456 ✓";
  const signature = "SIG==/+abc";
  const thought = {
    start: { type: "thinking", thinking: "", signature: "" },
    deltas: [
      { type: "thinking_delta", thinking },
      { type: "signature_delta", signature },
    ],
  };
  const first = anthropicReply([thought, anthropicCall("exec", { code: "return 1" })], "tool_use");
  await using open = await openTurns({
    replies: [first, anthropicReply([anthropicText("ok")], "end_turn")],
    provider: { api: "anthropic" },
  });
  await open.turns.run("s", { message: "go" });
  await open.turns.run("s", { message: "again" });
  for (const { body } of open.provider.requests.slice(1)) {
    const assistant = body.messages.find(({ role }: { role: string }) => role === "assistant");
    expect(assistant.content.slice(0, 2)).toMatchObject([
      { type: "thinking", thinking, signature },
      { type: "tool_use", name: "exec" },
    ]);
  }
});

it("PRV-2 results of parallel calls go to Anthropic in one user message, an image inside its result (P18)", async () => {
  const call = (toolCallId: string) => ({ type: "tool-call", toolCallId, toolName: "exec", input: {} }) as const;
  const image = { type: "file", data: { type: "data", data: "iVBORw0KGgo=" }, mediaType: "image/png" } as const;
  const history: ModelMessage[] = [
    { role: "user", content: "go" },
    { role: "assistant", content: [call("a"), call("b")] },
    {
      role: "tool",
      content: [{ type: "tool-result", toolCallId: "a", toolName: "exec", output: { type: "text", value: "1" } }],
    },
    {
      role: "tool",
      content: [
        { type: "tool-result", toolCallId: "b", toolName: "exec", output: { type: "content", value: [image] } },
      ],
    },
  ];
  await using open = await openTurns({
    replies: [anthropicReply([anthropicText("ok")], "end_turn")],
    provider: { api: "anthropic" },
  });
  await open.turns.run("s", { message: "continue", history });
  const [, assistant, user] = (open.provider.requests[0] as WireRequest).body.messages as Body[];
  expect(assistant).toMatchObject({
    role: "assistant",
    content: [
      { type: "tool_use", id: "a" },
      { type: "tool_use", id: "b" },
    ],
  });
  expect(user).toMatchObject({
    role: "user",
    content: [
      { type: "tool_result", tool_use_id: "a" },
      { type: "tool_result", tool_use_id: "b", content: [{ type: "image" }] },
      { type: "text", text: "continue" },
    ],
  });
});

it("SUR-3 the request is checked as it goes out, in the format of its provider", async () => {
  for (const { api, answer } of formats) {
    await using open = await openTurns({ replies: [answer], provider: { api } });
    const surface = await open.host.activate({ agentId: "main", sessionId: "x", sessionKey: "x", agentRunId: "x" });
    await open.turns.run("s", { message: "go" });
    const { body } = open.provider.requests[0] as WireRequest;
    const format = api === "google" ? "gemini" : api === "scripted" ? "openai-chat" : api;
    expect(() => surface.assertBody(body, format)).not.toThrow();
    expect(() => surface.assertBody({ ...body, tools: [...body.tools, ...body.tools] }, format)).toThrow(
      "was not sent",
    );
  }
});

const risky = { code: "return await tools.counter_incr({ key: 'cut-off' })" };
const riskyReplies: readonly [ProviderConfig["api"], WireReply, WireReply][] = [
  [
    "anthropic",
    anthropicReply([anthropicCall("exec", risky)], "max_tokens"),
    anthropicReply([anthropicText("ok")], "end_turn"),
  ],
  [
    "google",
    geminiReply([[{ functionCall: { name: "exec", args: risky } }]], "MAX_TOKENS"),
    geminiReply([[{ text: "ok" }]]),
  ],
];

it.each(riskyReplies)(
  "PRV-2 a call that %s cut off does not run, whether it says so or just stops",
  async (api, cut, answer) => {
    await using open = await openTurns({ replies: [cut, answer], provider: { api } });
    expect((await open.turns.run("s", { message: "go" })).text).toBe("ok");
    expect(open.results()).toMatchObject([{ status: "failed", error: expect.stringContaining("truncated") }]);
    // the last pieces tell why the reply ended; without them it just stops
    const pieces =
      api === "anthropic"
        ? cut.pieces.slice(0, -2)
        : geminiReply([[{ functionCall: { name: "exec", args: risky } }], []]).pieces.slice(0, 1);
    await using ended = await openTurns({ replies: [{ pieces }, answer], provider: { api } });
    expect((await ended.turns.run("s", { message: "go" })).text).toBe("ok");
    expect(ended.results()).toEqual([]);
    expect(ended.events().filter(({ type }) => type === "model_retry")).toHaveLength(1);
    expect((globalThis as { testCounters?: object }).testCounters ?? {}).not.toHaveProperty("cut-off");
  },
);

it("PRV-2 an image that a direct tool shows goes to the model as an image, never as text", async () => {
  const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const plugins = [fileURLToPath(new URL("./image-plugin.mjs", import.meta.url))];
  const config = { plugins, tools: { codeMode: true } };
  const place = (format: Format, body: Body): unknown => {
    if (format.api === "anthropic") return body.messages.at(-1).content[0].content;
    return format.api === "google" ? body.contents.at(-1) : body.messages.slice(-2);
  };
  for (const format of formats) {
    const call: Readonly<Record<string, WireReply>> = {
      "openai-chat": chatCall("show", { png }),
      anthropic: anthropicReply([anthropicCall("show", { png })], "tool_use"),
      google: geminiReply([[{ functionCall: { name: "show", args: { png } } }]]),
    };
    const replies = [call[format.api] as WireReply, format.answer];
    await using open = await openTurns({ replies, provider: { api: format.api }, config });
    await open.turns.run("s", { message: "look" });
    const sent = JSON.stringify(place(format, open.provider.requests[1]?.body));
    // once as the data of an image, and nowhere in a text
    expect(sent.split(png)).toHaveLength(2);
    expect(sent).toMatch(/"type":"image|"type":"base64"|"inlineData"/);
    expect(open.results()).toMatchObject([
      { path: "a.png", content: [{ type: "image", mimeType: "image/png", omittedBytes: png.length }] },
    ]);
  }
});
