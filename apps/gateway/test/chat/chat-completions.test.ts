import OpenAI from "openai";
import { expect, it } from "vitest";
import type { OpenedGateway } from "../../src/open-gateway.ts";
import { openTestGateway, testToken } from "../open-test-gateway.ts";
import { TemporaryFolder } from "../temporary-folder.ts";

type Step = { readonly text?: string; readonly toolCalls?: readonly { name: string; input: unknown }[] };

const pickFile: OpenAI.ChatCompletionTool = {
  type: "function",
  function: {
    name: "pick_file",
    description: "Let the user pick a file.",
    parameters: { type: "object", properties: { kind: { type: "string" } }, required: ["kind"] },
  },
};

/** A gateway whose model plays these steps, and an official client that talks to it. */
async function opened(
  folder: TemporaryFolder,
  steps: readonly Step[],
  tools: object = { codeMode: true },
): Promise<{ gateway: OpenedGateway; client: OpenAI }> {
  folder.write("script.json5", JSON.stringify({ steps }));
  const providers = { s: { api: "scripted" as const, script: "./script.json5" } };
  const gateway = await openTestGateway(folder, {
    config: { models: { default: "s/x", providers }, agents: { other: {} }, tools },
  });
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: testToken, maxRetries: 0 });
  return { gateway, client };
}

const exec = (code: string): Step => ({ toolCalls: [{ name: "exec", input: { code } }] });

async function modelSaw(gateway: OpenedGateway): Promise<readonly (readonly { role: string; content?: unknown }[])[]> {
  return (await gateway.models.scripted("s")).requests.map(({ messages = [] }) => messages);
}

it("GW-2 the official client gets an answer, whole and streamed alike", async () => {
  using folder = new TemporaryFolder();
  const { gateway, client } = await opened(folder, [
    { text: "I compute.", ...exec("return 6 * 7") },
    { text: "It is ${results[0].value}." },
  ]);
  await using _gateway = gateway;
  const messages = [{ role: "user" as const, content: "What is it?" }];
  const whole = await client.chat.completions.create({ model: "main", messages });
  expect(whole.choices[0]).toMatchObject({
    finish_reason: "stop",
    message: { role: "assistant", content: "I compute.\n\nIt is 42." },
  });
  const stream = await client.chat.completions.create({
    model: "main",
    messages,
    stream: true,
    stream_options: { include_usage: true },
  });
  const chunks: OpenAI.ChatCompletionChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe("I compute.\n\nIt is 42.");
  expect(chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? [])).toEqual(["stop"]);
  expect(chunks.at(-1)?.usage).toMatchObject({ total_tokens: expect.any(Number) });
});

it("GW-2 a program that calls a client tool hands the call out and goes on with the answer, once", async () => {
  using folder = new TemporaryFolder();
  const program = `
    text("asking");
    const picked = await tools.pick_file({ kind: "text" });
    text("got " + picked.path);
    return (await tools.read({ path: picked.path })).content;`;
  const { gateway, client } = await opened(folder, [exec(program), { text: "It says ${results[0].value}" }]);
  await using _gateway = gateway;
  folder.write("a.txt", "apples");
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "read it" }];
  const asked = await client.chat.completions.create({ model: "main", messages, tools: [pickFile] });
  const [call] = asked.choices[0]?.message.tool_calls ?? [];
  expect(asked.choices[0]?.finish_reason).toBe("tool_calls");
  const next = (id: string, content: string): Promise<OpenAI.ChatCompletion> =>
    client.chat.completions.create({
      model: "main",
      messages: [
        ...messages,
        asked.choices[0]?.message as OpenAI.ChatCompletionMessageParam,
        { role: "tool", tool_call_id: id, content },
      ],
      tools: [pickFile],
    });
  await expect(next("call_guessed", "{}")).rejects.toMatchObject({ status: 400, code: "unknown_tool_call" });
  const answered = await next(call?.id ?? "", '{"path":"a.txt"}');
  expect(answered.choices[0]?.message.content).toContain("apples");
  await expect(next(call?.id ?? "", '{"path":"a.txt"}')).rejects.toMatchObject({ status: 400 });
  const requests = await modelSaw(gateway);
  expect(requests).toHaveLength(2);
  const result = JSON.parse(String(requests[1]?.at(-1)?.content)) as { output: unknown; telemetry: { calls: unknown } };
  expect(result.output).toEqual([
    { type: "text", text: "asking" },
    { type: "text", text: "got a.txt" },
  ]);
  expect(result.telemetry.calls).toEqual({ completed: 2, failed: 0, pending: 0, notStarted: 0 });
});

it("GW-2 calls made side by side come as one set; a part of it is refused and leaves the program waiting", async () => {
  using folder = new TemporaryFolder();
  const program = `const both = await Promise.all([tools.pick_file({ kind: "a" }), tools.pick_file({ kind: "b" })]); return both;`;
  const { gateway, client } = await opened(folder, [
    exec(program),
    { text: "${results[0].value[0]} and ${results[0].value[1]}" },
  ]);
  await using _gateway = gateway;
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "pick two" }];
  const body = { model: "main", messages, tools: [pickFile], stream: true as const };
  const calls: OpenAI.ChatCompletionMessageToolCall[] = [];
  for await (const { choices } of await client.chat.completions.create(body))
    for (const call of choices[0]?.delta.tool_calls ?? []) calls.push(call as OpenAI.ChatCompletionMessageToolCall);
  expect(calls.map((call) => call.type === "function" && call.function.arguments)).toEqual([
    '{"kind":"a"}',
    '{"kind":"b"}',
  ]);
  const assistant = { role: "assistant" as const, content: null, tool_calls: calls };
  const results = calls.map(({ id }, index) => ({ role: "tool" as const, tool_call_id: id, content: `file ${index}` }));
  const answer = (given: typeof results, model = "main"): Promise<OpenAI.ChatCompletion> =>
    client.chat.completions.create({ model, messages: [...messages, assistant, ...given], tools: [pickFile] });
  await expect(answer(results.slice(0, 1))).rejects.toMatchObject({ status: 400, code: "partial_tool_results" });
  await expect(answer(results, "other")).rejects.toMatchObject({ status: 400, code: "unknown_tool_call" });
  expect((await answer(results)).choices[0]?.message.content).toBe("file 0 and file 1");
});

it("GW-2 without code mode the model calls the client's tool itself", async () => {
  using folder = new TemporaryFolder();
  const steps = [{ toolCalls: [{ name: "pick_file", input: { kind: "text" } }] }, { text: "picked ${results[0]}" }];
  const { gateway, client } = await opened(folder, steps, {});
  await using _gateway = gateway;
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "pick" }];
  const asked = await client.chat.completions.create({ model: "main", messages, tools: [pickFile] });
  const message = asked.choices[0]?.message as OpenAI.ChatCompletionMessage;
  const tool = { role: "tool" as const, tool_call_id: message.tool_calls?.[0]?.id ?? "", content: "a.txt" };
  const answered = await client.chat.completions.create({ model: "main", messages: [...messages, message, tool] });
  expect(answered.choices[0]?.message.content).toBe("picked a.txt");
});

it("GW-2 a conversation goes on in its session, named by header or found by what was said; a branch gets its own", async () => {
  using folder = new TemporaryFolder();
  const steps = [exec("return 1"), { text: "one" }, { text: "two" }, { text: "three" }];
  const { gateway, client } = await opened(folder, steps);
  await using _gateway = gateway;
  const ask = async (contents: readonly string[], headers: Record<string, string> = {}): Promise<string> => {
    const messages = contents.map((content, index) => ({
      role: index % 2 === 0 ? ("user" as const) : ("assistant" as const),
      content,
    }));
    const { choices } = await client.chat.completions.create({ model: "main", messages }, { headers });
    return choices[0]?.message.content ?? "";
  };
  const toolMessages = async (): Promise<number> =>
    ((await modelSaw(gateway)).at(-1) ?? []).filter(({ role }) => role === "tool").length;
  expect(await ask(["a"])).toBe("one");
  expect(await ask(["a", "one", "b"])).toBe("two");
  expect(await toolMessages()).toBe(1);
  // the same words again are a branch: its session begins with what the client said, without the calls of the other one
  expect(await ask(["a", "one", "c"])).toBe("one");
  expect(await toolMessages()).toBe(0);
  expect(await ask(["x"], { "x-session-id": "named" })).toBe("one");
  expect(await ask(["y"], { "x-session-id": "named" })).toBe("two");
  expect(gateway.sessions.find("named")).toMatchObject({ turns: 2 });
});

it("GW-2 errors come in the shape of the protocol", async () => {
  using folder = new TemporaryFolder();
  const { gateway, client } = await opened(folder, [{ text: "hi" }]);
  await using _gateway = gateway;
  const messages = [{ role: "user" as const, content: "hi" }];
  const create = (more: object): Promise<unknown> =>
    client.chat.completions.create({ model: "main", messages, ...more } as OpenAI.ChatCompletionCreateParams);
  await expect(create({ model: "nobody" })).rejects.toMatchObject({ status: 404, code: "unknown_agent" });
  await expect(create({ n: 2 })).rejects.toMatchObject({ status: 400, code: "unsupported_value" });
  await expect(create({ messages: [] })).rejects.toMatchObject({ status: 400, type: "invalid_request_error" });
  await expect(create({ messages: [{ role: "assistant", content: "x" }] })).rejects.toMatchObject({ status: 400 });
  await expect(create({ tool_choice: "required" })).rejects.toMatchObject({ code: "unsupported_value" });
  await expect(create({ tools: [pickFile, pickFile] })).rejects.toThrow("a second tool is named pick_file");
  const image = [{ role: "user", content: [{ type: "image_url", image_url: { url: "data:," } }] }];
  await expect(create({ messages: image })).rejects.toThrow("only text is taken");
  const stranger = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: "wrong", maxRetries: 0 });
  await expect(stranger.models.list()).rejects.toMatchObject({ status: 401, type: "authentication_error" });
});

it("GW-2 a turn that fails is an error before the stream begins, and within it after", async () => {
  using folder = new TemporaryFolder();
  const { gateway, client } = await opened(folder, [{ text: "only step" }]);
  await using _gateway = gateway;
  const messages = [{ role: "user" as const, content: "hi" }];
  const headers = { "x-session-id": "s" };
  await client.chat.completions.create({ model: "main", messages }, { headers });
  // the script is over: the provider refuses
  await expect(client.chat.completions.create({ model: "main", messages, stream: true }, { headers })).rejects.toThrow(
    /script/,
  );
});

it("GW-2 a client that goes away ends its turn, and the session is free again", async () => {
  using folder = new TemporaryFolder();
  const { gateway, client } = await opened(folder, [exec("for (;;) {}"), { text: "never" }]);
  await using _gateway = gateway;
  const gone = new AbortController();
  const started = new Promise<void>((resolve) => {
    const off = gateway.sessions.subscribe("s", (_id, { type }) => {
      if (type !== "model_request") return;
      off();
      resolve();
    });
  });
  const request = client.chat.completions.create(
    { model: "main", messages: [{ role: "user", content: "hi" }] },
    { headers: { "x-session-id": "s" }, signal: gone.signal },
  );
  await started;
  const running = gateway.turns.running("s");
  gone.abort();
  await expect(request).rejects.toThrow();
  await expect(running?.done).rejects.toThrow("the client closed the connection");
  expect(gateway.turns.running("s")).toBeUndefined();
});

it("GW-2 tool_choice none asks the model alone", async () => {
  using folder = new TemporaryFolder();
  const { gateway, client } = await opened(folder, [{ text: "hi" }]);
  await using _gateway = gateway;
  const messages = [{ role: "user" as const, content: "hi" }];
  await client.chat.completions.create({ model: "main", messages, tools: [pickFile], tool_choice: "none" });
  expect((await gateway.models.scripted("s")).requests.map(({ tools = [] }) => tools)).toEqual([[]]);
});

it("GET /v1/models lists the agents", async () => {
  using folder = new TemporaryFolder();
  const { gateway, client } = await opened(folder, [{ text: "hi" }]);
  await using _gateway = gateway;
  const { data } = await client.models.list();
  expect(data.map(({ id }) => id)).toEqual(["main", "other"]);
  expect(await client.models.retrieve("other")).toMatchObject({ id: "other", object: "model" });
  await expect(client.models.retrieve("none")).rejects.toMatchObject({ status: 404 });
});
