import type { CodeModeResult } from "@code-mode/contract";
import { expect, it } from "vitest";
import { createHost, enabledCodeMode, type Host, type HostOptions } from "../../src/compose.ts";
import { resolveConfig } from "../../src/config/load-config.ts";
import type { AuditEvent } from "../../src/policy/audit-event.ts";
import { TemporaryFolder } from "../temporary-folder.ts";

const scope = { agentId: "main", sessionId: "s", sessionKey: "main:s", agentRunId: "r" };

const plugin = `const tool = (name, extra, execute) => ({ name, description: "", parameters: {}, execute, ...extra });
const ran = (globalThis.approvalRuns = []);
export default { id: "p", tools: [
  tool("send", { approval: "always" }, (input) => { ran.push(input); return "sent"; }),
  tool("free", {}, () => "free"),
] };`;

const runs = (): unknown[] => (globalThis as unknown as { approvalRuns: unknown[] }).approvalRuns;

type Bench = AsyncDisposable & { readonly host: Host; readonly events: AuditEvent[] };

async function open(codeMode: object = {}, options: Partial<HostOptions> = {}): Promise<Bench> {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(new TemporaryFolder());
  folder.write("p.mjs", plugin);
  const config = resolveConfig(
    { plugins: ["./p.mjs"], tools: { codeMode: { enabled: true, ...codeMode } } },
    { baseDir: folder.path },
  );
  const events: AuditEvent[] = [];
  const audit = (event: AuditEvent): void => void events.push(event);
  const host = stack.use(await createHost({ config, unattended: "park", audit, ...options }));
  runs().length = 0;
  return { host, events, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

type Waiting = Extract<CodeModeResult, { status: "waiting" }>;

async function park(host: Host, code: string): Promise<Waiting> {
  const result = await enabledCodeMode(host).exec({ code }, { scope, toolCallId: "exec-1" });
  expect(result).toMatchObject({ status: "waiting", reason: "pending_tools" });
  return result as Waiting;
}

const wait = (host: Host, { runId }: Waiting): Promise<CodeModeResult> =>
  enabledCodeMode(host).wait({ runId }, { scope });
const decide = (host: Host, id: string | undefined, approved: boolean, reason?: string): void =>
  void host.approvals.decide(id ?? "", { approved, by: "test", reason });

it("APR-1 the cell parks with the approval's id and how to decide it, and nothing runs before the decision", async () => {
  await using bench = await open();
  const { host } = bench;
  const parked = await park(host, 'return await tools.send({ to: "ada" })');
  const [pending] = parked.pendingToolCalls ?? [];
  expect(pending).toMatchObject({
    id: "openclaw:p:send",
    status: "awaiting_approval",
    message: `waits for a person: codemode approvals approve ${pending?.approvalId} (or deny), or POST /api/approvals/${pending?.approvalId}`,
  });
  expect(host.approvals.get(pending?.approvalId ?? "")).toMatchObject({
    ...{ toolId: "openclaw:p:send", input: { to: "ada" }, cellId: parked.runId, parentToolCallId: "exec-1" },
    ...{ sessionId: "s", agentId: "main", agentRunId: "r" },
  });
  expect(runs()).toEqual([]);
  decide(host, pending?.approvalId, true);
  expect(await wait(host, parked)).toMatchObject({ status: "completed", value: "sent" });
  expect(runs()).toEqual([{ to: "ada" }]);
});

it("APR-2 a denial and its reason are a catchable error, and the tool body never runs", async () => {
  await using bench = await open();
  const code = "try { return await tools.send({}) } catch (error) { return [error.code, error.message] }";
  const parked = await park(bench.host, code);
  decide(bench.host, parked.pendingToolCalls?.[0]?.approvalId, false, "not on Sundays");
  expect(await wait(bench.host, parked)).toMatchObject({
    status: "completed",
    value: ["approval_denied", expect.stringContaining("not on Sundays")],
  });
  expect(runs()).toEqual([]);
});

it("APR-1 two calls side by side have two requests: one may be denied and the other run", async () => {
  await using bench = await open();
  const code = `const all = await Promise.allSettled([tools.send({ n: 1 }), tools.send({ n: 2 })]);
    return all.map(({ status }) => status)`;
  const parked = await park(bench.host, code);
  const [one, two] = parked.pendingToolCalls ?? [];
  decide(bench.host, two?.approvalId, true);
  decide(bench.host, one?.approvalId, false);
  let result = await wait(bench.host, parked);
  while (result.status === "waiting") result = await wait(bench.host, result);
  expect(result).toMatchObject({ value: ["rejected", "fulfilled"] });
  expect(runs()).toEqual([{ n: 2 }]);
});

it("APR-2 a grant for one set of arguments lets no other run, and arguments are fixed when the call is made", async () => {
  await using bench = await open();
  const code = `const input = { path: "/tmp/ok" };
    const first = tools.send(input);
    input.path = "/etc/passwd";
    await first;
    return await tools.send({ path: "/etc/shadow" }).then(() => "ran", () => "denied")`;
  const parked = await park(bench.host, code);
  decide(bench.host, parked.pendingToolCalls?.[0]?.approvalId, true);
  const again = (await wait(bench.host, parked)) as Waiting;
  expect(again.status).toBe("waiting");
  decide(bench.host, again.pendingToolCalls?.[0]?.approvalId, false);
  expect(await wait(bench.host, again)).toMatchObject({ value: "denied" });
  expect(runs()).toEqual([{ path: "/tmp/ok" }]);
});

it("APR-3 calls that await approval hold no parallel slot", async () => {
  await using bench = await open({ maxPendingToolCalls: 1 });
  const code = `const sends = [tools.send({ n: 1 }), tools.send({ n: 2 })];
    const free = await tools.free({});
    return [free, ...(await Promise.all(sends))]`;
  const parked = await park(bench.host, code);
  expect(parked.pendingToolCalls?.map(({ status }) => status)).toEqual(["awaiting_approval", "awaiting_approval"]);
  for (const { approvalId } of parked.pendingToolCalls ?? []) decide(bench.host, approvalId, true);
  let result = await wait(bench.host, parked);
  while (result.status === "waiting") result = await wait(bench.host, result);
  expect(result).toMatchObject({ value: ["free", "sent", "sent"] });
});

it("APR-3 a cell whose calls all await approval is suspended at once, and a wait on it returns within timeoutMs", async () => {
  await using bench = await open({ timeoutMs: 300 });
  const parked = await park(bench.host, "return await tools.send({})");
  const again = await wait(bench.host, parked);
  expect(again).toMatchObject({ status: "waiting", runId: parked.runId });
  decide(bench.host, parked.pendingToolCalls?.[0]?.approvalId, true);
  expect(await wait(bench.host, again as Waiting)).toMatchObject({ status: "completed", value: "sent" });
});

it("APR-3 a request expires before its program does, and the program can catch that", async () => {
  await using bench = await open({ snapshotTtlSeconds: 1 });
  const parked = await park(bench.host, "return await tools.send({}).catch(({ code }) => code)");
  expect(await wait(bench.host, parked)).toMatchObject({ status: "completed", value: "approval_expired" });
  expect(bench.events.map(({ type }) => type)).toEqual(["approval_requested", "approval_closed"]);
});

it("APR-2 a session that ends closes what was pending in it", async () => {
  await using bench = await open();
  const parked = await park(bench.host, "return await tools.send({})");
  await enabledCodeMode(bench.host).endSession("s");
  const id = parked.pendingToolCalls?.[0]?.approvalId ?? "";
  expect(bench.host.approvals.get(id)?.state).toBe("closed");
  expect(bench.host.approvals.decide(id, { approved: true, by: "test" }).type).toBe("settled_before");
  expect(runs()).toEqual([]);
});

it("APR-1 every request and its end is told for the record, with call, cell, run and session", async () => {
  await using bench = await open();
  const parked = await park(bench.host, "return await tools.send({ n: 1 })");
  const approvalId = parked.pendingToolCalls?.[0]?.approvalId;
  decide(bench.host, approvalId, true, "fine");
  await wait(bench.host, parked);
  const facts = { approvalId, sessionId: "s", agentRunId: "r", cellId: parked.runId, parentToolCallId: "exec-1" };
  expect(bench.events).toMatchObject([
    { type: "approval_requested", ...facts, input: { n: 1 }, toolId: "openclaw:p:send" },
    { type: "approval_decided", ...facts, approved: true, by: "test", reason: "fine" },
  ]);
});

it("where nobody decides, a rule lets the call run and without it the refusal is catchable", async () => {
  await using bench = await open({}, { unattended: "deny" });
  const code = "return await tools.send({}).catch(({ code }) => code)";
  expect(await enabledCodeMode(bench.host).exec({ code }, { scope })).toMatchObject({ value: "approval_denied" });
});
