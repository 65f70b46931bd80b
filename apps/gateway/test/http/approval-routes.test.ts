import { expect, it } from "vitest";
import { enabledCodeMode } from "../../src/compose.ts";
import type { OpenedGateway } from "../../src/open-gateway.ts";
import type { Approval } from "../../src/policy/approval.ts";
import type { SessionEvent } from "../../src/store/transcript-store.ts";
import { openTestGateway, testToken } from "../open-test-gateway.ts";
import { TemporaryFolder } from "../temporary-folder.ts";

const plugin = `export default { id: "p", tools: [
  { name: "send", description: "", parameters: {}, approval: "always", execute: ({ to }) => "sent to " + to },
] };`;

type Bench = AsyncDisposable & {
  readonly gateway: OpenedGateway;
  ask(path: string, body?: object | string, token?: string): Promise<{ status: number; body: unknown }>;
  /** Makes a program of a session wait for an approval; gives run and approval. */
  park(sessionId: string, to: string): Promise<{ runId: string; id: string; goOn(): Promise<unknown> }>;
};

async function open(script: object = { steps: [{ text: "hi" }] }): Promise<Bench> {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(new TemporaryFolder());
  folder.write("p.mjs", plugin);
  folder.write("script.json5", JSON.stringify(script));
  const gateway = stack.use(
    await openTestGateway(folder, {
      config: {
        plugins: ["./p.mjs"],
        models: { default: "s/x", providers: { s: { api: "scripted", script: "./script.json5" } } },
        tools: { codeMode: true },
      },
    }),
  );
  const codeMode = enabledCodeMode(gateway.host);
  return {
    gateway,
    async ask(path, body, token = testToken) {
      const sent = { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) };
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const reply = await fetch(`${gateway.url}${path}`, { headers, ...(body === undefined ? {} : sent) });
      return { status: reply.status, body: await reply.json() };
    },
    async park(sessionId, to) {
      const scope = { agentId: "main", sessionId, sessionKey: sessionId, agentRunId: "r" };
      const code = `return await tools.send({ to: ${JSON.stringify(to)} }).catch(({ code, message }) => [code, message])`;
      const result = await codeMode.exec({ code }, { scope });
      if (result.status !== "waiting") throw new Error(`the program is ${result.status}`);
      const { runId, pendingToolCalls: [pending] = [] } = result;
      return { runId, id: pending?.approvalId ?? "", goOn: () => codeMode.wait({ runId }, { scope }) };
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const idsIn = (body: unknown): string[] => (body as { approvals: Approval[] }).approvals.map(({ id }) => id);

it("APR-1 approvals are listed over HTTP, open ones first, by session and by state", async () => {
  await using bench = await open();
  const [one, two] = [await bench.park("s1", "ada"), await bench.park("s2", "bob")];
  await bench.ask(`/api/approvals/${one.id}`, { decision: "deny" });
  expect(idsIn((await bench.ask("/api/approvals")).body)).toEqual([two.id, one.id]);
  expect(idsIn((await bench.ask("/api/approvals?session=s1")).body)).toEqual([one.id]);
  expect(idsIn((await bench.ask("/api/approvals?state=pending")).body)).toEqual([two.id]);
  expect(await bench.ask(`/api/approvals/${two.id}`)).toMatchObject({
    status: 200,
    body: {
      ...{ id: two.id, state: "pending", sessionId: "s2", toolId: "openclaw:p:send", cellId: two.runId },
      ...{ input: { to: "bob" }, text: '{\n  "to": "bob"\n}' },
    },
  });
  expect(await bench.ask("/api/approvals?state=open")).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining("pending, approved, denied, expired, closed") } },
  });
});

it("APR-1 a decision over HTTP lets the parked program go on, a denial with its reason", async () => {
  await using bench = await open();
  const [yes, no] = [await bench.park("s", "ada"), await bench.park("s", "bob")];
  expect(await bench.ask(`/api/approvals/${yes.id}`, { decision: "approve" })).toMatchObject({
    status: 200,
    body: { state: "approved", by: "http" },
  });
  await bench.ask(`/api/approvals/${no.id}`, { decision: "deny", reason: "not him" });
  expect(await yes.goOn()).toMatchObject({ value: "sent to ada" });
  expect(await no.goOn()).toMatchObject({ value: ["approval_denied", expect.stringContaining("not him")] });
});

it("an approval that is settled is a 409, an unknown one a 404, a wrong body a 400, a wrong token a 401", async () => {
  await using bench = await open();
  const { id } = await bench.park("s", "ada");
  const path = `/api/approvals/${id}`;
  const codeOf = async (...args: Parameters<Bench["ask"]>): Promise<unknown> => {
    const { status, body } = await bench.ask(...args);
    return [status, (body as { error?: { code: string } }).error?.code];
  };
  expect(await codeOf(path, { decision: "maybe" })).toEqual([400, "invalid_input"]);
  expect(await codeOf(path, { decision: "approve", always: true })).toEqual([400, "invalid_input"]);
  expect(await codeOf(path, "{")).toEqual([400, "invalid_input"]);
  expect(await codeOf(path, { decision: "approve" }, "wrong")).toEqual([401, "unauthorized"]);
  expect(bench.gateway.host.approvals.get(id)?.state).toBe("pending");
  expect((await bench.ask(path, { decision: "deny" })).status).toBe(200);
  expect(await bench.ask(path, { decision: "approve" })).toMatchObject({
    status: 409,
    body: { error: { code: "approval_settled", details: { state: "denied" } } },
  });
  expect(await codeOf("/api/approvals/apr_none", { decision: "approve" })).toEqual([404, "unknown_approval"]);
  expect(await codeOf("/api/approvals/apr_none")).toEqual([404, "unknown_approval"]);
});

it("APR-1 request and decision of a turn stand in its trajectory, under the call that they are about", async () => {
  const call = (name: string, input: object) => ({ toolCalls: [{ name, input }] });
  await using bench = await open({
    steps: [
      call("exec", { code: 'return await tools.send({ to: "ada" })' }),
      call("wait", { runId: "${results[0].runId}" }),
      { text: "done" },
    ],
  });
  bench.gateway.host.approvals.onEvent((event) => {
    if (event.type === "approval_requested")
      void bench.ask(`/api/approvals/${event.approvalId}`, { decision: "approve", reason: "fine" });
  });
  const turn = bench.gateway.turns.start("s", { message: "send it" });
  await turn.done;
  const events = bench.gateway.sessions.events("s");
  const requested = events.find(({ type }) => type === "approval_requested") as SessionEvent;
  const decided = events.find(({ type }) => type === "approval_decided");
  const { cellId, parentToolCallId, approvalId, agentRunId } = requested;
  expect(requested).toMatchObject({ toolId: "openclaw:p:send", input: { to: "ada" }, agentRunId: turn.agentRunId });
  expect(decided).toMatchObject({
    ...{ approved: true, by: "http", reason: "fine" },
    ...{ cellId, parentToolCallId, approvalId, agentRunId },
  });
  expect(events.find(({ type }) => type === "cell_started")).toMatchObject({ id: parentToolCallId });
});
