import { expect, it } from "vitest";
import type { OpenedGateway } from "../../src/open-gateway.ts";
import { openTestGateway, testToken } from "../open-test-gateway.ts";
import { TemporaryFolder } from "../temporary-folder.ts";

const headers = {
  authorization: `Bearer ${testToken}`,
  accept: "application/json",
  "content-type": "application/json",
};

async function opened(folder: TemporaryFolder): Promise<OpenedGateway> {
  const code = "const first = await tools.ask({ q: 1 }); return [first, await tools.ask({ q: 2 })]";
  const steps = [
    { toolCalls: [{ name: "exec", input: { code } }] },
    { text: "${results[0].value[0]}, ${results[0].value[1]}" },
  ];
  folder.write("script.json5", JSON.stringify({ steps }));
  const providers = { s: { api: "scripted" as const, script: "./script.json5" } };
  return openTestGateway(folder, { config: { models: { default: "s/x", providers }, tools: { codeMode: true } } });
}

type Body = { status: string; calls: { toolCallId: string; input: unknown }[]; text: string; error: { code: string } };

async function ask(url: string, body?: object): Promise<Body> {
  const reply = await fetch(url, {
    headers,
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  return (await reply.json()) as Body;
}

it("GW-3 a turn with client tools answers in JSON with the calls, and goes on with their results", async () => {
  using folder = new TemporaryFolder();
  await using gateway = await opened(folder);
  const session = `${gateway.url}/api/sessions/one`;
  const first = await ask(`${session}/turns`, { message: "go", clientTools: [{ name: "ask", description: "Asks" }] });
  expect([first.status, first.calls.map(({ input }) => input)]).toEqual(["client_calls", [{ q: 1 }]]);
  expect((await ask(`${session}/client-calls`)).calls).toEqual(first.calls);
  const answer = (calls: Body["calls"], output: string): Promise<Body> =>
    ask(`${session}/client-calls`, { results: calls.map(({ toolCallId }) => ({ toolCallId, output })) });
  expect((await answer([{ toolCallId: "call_no", input: {} }], "x")).error.code).toBe("unknown_tool_call");
  const second = await answer(first.calls, "yes");
  expect(second.calls.map(({ input }) => input)).toEqual([{ q: 2 }]);
  expect(await answer(second.calls, "no")).toMatchObject({ status: "completed", text: "yes, no" });
  expect((await answer(second.calls, "no")).error.code).toBe("unknown_tool_call");
  const types = gateway.sessions.events("one").map(({ type }) => type);
  expect(types.filter((type) => type === "client_calls")).toHaveLength(2);
});
