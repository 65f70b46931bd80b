import { describe, expect, it } from "vitest";
import { type AnyClient, changingServer, connectV2, type HttpFace, openHttpFace } from "./http-face.ts";

const parkUnattended = { unattended: "park" } as const;

async function open(rules: { match: string; mode: "always" }[] = []): Promise<HttpFace> {
  return openHttpFace({ mcpServers: { up: changingServer }, tools: { approval: { rules } } }, parkUnattended);
}

/** The id of the one request that is open. */
function openRequest(face: HttpFace): string {
  const open = face.host.approvals.list({ state: "pending" });
  expect(open).toHaveLength(1);
  return open[0]?.id ?? "";
}

async function exec(client: AnyClient, code: string): Promise<Record<string, unknown>> {
  return (await client.call("exec", { code })).structuredContent;
}

async function wait(client: AnyClient, { runId }: Record<string, unknown>): Promise<Record<string, unknown>> {
  return (await client.call("wait", { runId })).structuredContent;
}

/** Resolves once the definition of `send` has changed. */
function redefined(face: HttpFace): Promise<void> {
  return new Promise((resolve) => {
    const stop = face.host.tools.onChange(() => {
      if (face.host.tools.mcpStates()[0]?.changes.length === 0) return;
      stop();
      resolve();
    });
  });
}

const redefine = 'await MCP.up.redefine({ description: "Sends a mail to everybody." })';
const send = 'await MCP.up.send({ to: "ada" }).then(({ data }) => data, ({ code, message }) => `${code}: ${message}`)';

describe("questions of MCP servers to the user", () => {
  const ask = (schema: object): string =>
    `return (await MCP.up.ask({ requestedSchema: ${JSON.stringify(schema)} })).data`;
  const confirm = {
    type: "object",
    properties: { confirm: { type: "boolean" }, how: { type: "string", default: "softly" }, note: { type: "string" } },
    required: ["confirm"],
  };

  it("MCP-8 a question in the middle of a call parks the program and shows what a yes would send", async () => {
    await using face = await open();
    await using client = await connectV2(face.url, "legacy");
    const parked = await exec(client, ask(confirm));
    const id = openRequest(face);
    expect(parked).toMatchObject({
      status: "waiting",
      pendingToolCalls: [{ id: "mcp:up:ask", status: "awaiting_approval", approvalId: id }],
    });
    const answer = { confirm: true, how: "softly" };
    expect(face.host.approvals.get(id)).toMatchObject({
      toolId: "mcp:up:ask",
      input: { question: "May I delete all?", server: "up", answer },
    });
    face.host.approvals.decide(id, { approved: true, by: "http" });
    expect(await wait(client, parked)).toMatchObject({ value: { action: "accept", content: answer } });
  });

  it("MCP-8 a no is told to the server, which answers its call", async () => {
    await using face = await open();
    await using client = await connectV2(face.url, "legacy");
    const parked = await exec(client, ask(confirm));
    face.host.approvals.decide(openRequest(face), { approved: false, by: "http" });
    expect(await wait(client, parked)).toMatchObject({ status: "completed", value: { action: "decline" } });
  });

  it("MCP-8 the user of a client that offers elicitation is asked, in both eras", async () => {
    for (const mode of ["legacy", "auto"] as const) {
      await using face = await open();
      const heard: string[] = [];
      const elicit = async (message: string): Promise<{ action: "accept" }> => {
        heard.push(message);
        return { action: "accept" };
      };
      await using client = await connectV2(face.url, mode, { elicit });
      const first = await exec(client, ask(confirm));
      const done = first.status === "waiting" ? await wait(client, first) : first;
      expect(done).toMatchObject({ value: { action: "accept" } });
      expect(heard).toEqual([expect.stringContaining("May I delete all?")]);
    }
  });

  it("MCP-8 a form that a yes cannot fill in is dismissed, and nobody is asked", async () => {
    await using face = await open();
    await using client = await connectV2(face.url, "legacy");
    const form = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
    expect(await exec(client, ask(form))).toMatchObject({ value: { action: "cancel" } });
    expect(face.host.approvals.list()).toEqual([]);
  });
});

describe("definitions that change", () => {
  it("MCPC-3 an approval given for the old definition does not count, and the next call asks for the new one", async () => {
    await using face = await open([{ match: "mcp:up:send", mode: "always" }]);
    await using client = await connectV2(face.url, "legacy");
    const parked = await exec(client, `return ${send}`);
    const id = openRequest(face);
    const changed = redefined(face);
    await exec(client, redefine);
    await changed;

    face.host.approvals.decide(id, { approved: true, by: "cli" });
    const refused = await wait(client, parked);
    const again = await exec(client, `return ${send}`);
    face.host.approvals.decide(openRequest(face), { approved: true, by: "cli" });

    expect(refused.value).toMatch(/^approval_denied: .*the grant no longer matches/);
    expect(await wait(client, again)).toMatchObject({ value: "sent to ada" });
    expect(face.host.tools.mcpStates()).toMatchObject([
      {
        state: "ready",
        changes: [{ tool: "send", fields: ["description"] }],
        note: expect.stringContaining("send (description)"),
      },
    ]);
  });

  it("MCP-7 a program that began before the change does not call the changed tool; the next one does", async () => {
    await using face = await open();
    await using client = await connectV2(face.url, "legacy");
    const changed = redefined(face);
    const parked = await exec(client, `${redefine}; await yield_control("changed"); return ${send}`);
    await changed;

    const old = await wait(client, parked);
    const next = await exec(client, `return ${send}`);

    expect(old.value).toMatch(/^tool_error: send changed its definition since this program began/);
    expect(next.value).toBe("sent to ada");
  });

  it.each(["legacy", "auto"] as const)("a %s client over HTTP is told when its tools look different", async (mode) => {
    await using face = await open();
    const told = Promise.withResolvers<void>();
    await using client = await connectV2(face.url, mode, { onToolsChanged: () => told.resolve() });
    const before = await client.describe("exec");

    await exec(client, "return await MCP.up.grow({})");
    await told.promise;

    expect(before).toContain("up (4)");
    expect(await client.describe("exec")).toContain("up (5)");
  });
});

it("MCPC-1 a server that could not start is a line with its note in API.list", async () => {
  await using face = await openHttpFace({ mcpServers: { gone: { command: "no-such-server" }, up: changingServer } });
  await using client = await connectV2(face.url, "legacy");
  const { value } = await exec(client, 'return await API.list("mcp")');
  expect(value).toContainEqual(
    expect.objectContaining({
      path: "mcp/gone.d.ts",
      tools: 0,
      note: expect.stringContaining("its command was not found"),
    }),
  );
});
