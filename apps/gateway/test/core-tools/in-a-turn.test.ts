import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openGateway } from "../http/open-gateway.ts";
import { TemporaryFolder } from "../temporary-folder.ts";

const run = (code: string) => ({ toolCalls: [{ name: "exec", input: { code } }] });

it("CORE-1 a message reaches the session's events under its call, and session_status counts what is kept", async () => {
  using folder = new TemporaryFolder();
  const code = 'await tools.message({ text: "half way" }); return await tools.session_status({})';
  const script = { steps: [run(code), { text: "turns: ${results[0].value.counts.turns}" }] };
  await using gateway = await openGateway(folder, { script });
  const { body } = await gateway.send("/api/sessions/one/turns", { message: "go" });
  expect(body.text).toBe("turns: 1");
  const events = gateway.store.events("one");
  const called = events.find(({ type }) => type === "tool_call");
  expect(events.find(({ type }) => type === "message")).toMatchObject({
    text: "half way",
    agentRunId: body.agentRunId,
    parentToolCallId: called?.toolCallId,
  });
});

it("CORE-1 a command waits for its approval, and nothing of it runs before", async () => {
  using folder = new TemporaryFolder();
  const code = 'return (await tools.exec({ command: "touch ran.txt" })).exitCode';
  await using gateway = await openGateway(folder, { script: { steps: [run(code), { text: "parked" }] } });
  await gateway.send("/api/sessions/one/turns", { message: "go" });
  const { body } = await gateway.send("/api/approvals");
  expect(JSON.stringify(body)).toContain("touch ran.txt");
  expect(existsSync(join(folder.path, "ran.txt"))).toBe(false);
});
