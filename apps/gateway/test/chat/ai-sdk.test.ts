import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { isStepCount, jsonSchema, streamText, tool } from "ai";
import { expect, it } from "vitest";
import { openTestGateway, testToken } from "../open-test-gateway.ts";
import { TemporaryFolder } from "../temporary-folder.ts";

it("GW-2 the AI SDK streams a turn and answers the client tool that a program calls", async () => {
  using folder = new TemporaryFolder();
  const code = "return (await tools.add({ a: 20, b: 22 })).sum";
  folder.write(
    "script.json5",
    JSON.stringify({
      steps: [{ toolCalls: [{ name: "exec", input: { code } }] }, { text: "The sum is ${results[0].value}" }],
    }),
  );
  const providers = { s: { api: "scripted" as const, script: "./script.json5" } };
  await using gateway = await openTestGateway(folder, {
    config: { models: { default: "s/x", providers }, tools: { codeMode: true } },
  });
  const provider = createOpenAICompatible({ name: "gateway", baseURL: `${gateway.url}/v1`, apiKey: testToken });
  let ran = 0;
  const result = streamText({
    model: provider.chatModel("main"),
    prompt: "add",
    stopWhen: isStepCount(5),
    tools: {
      add: tool({
        description: "Add two numbers.",
        inputSchema: jsonSchema<{ a: number; b: number }>({
          type: "object",
          properties: { a: { type: "number" }, b: { type: "number" } },
          required: ["a", "b"],
        }),
        execute: ({ a, b }) => {
          ran += 1;
          return { sum: a + b };
        },
      }),
    },
  });
  expect(await result.text).toBe("The sum is 42");
  expect(ran).toBe(1);
});
