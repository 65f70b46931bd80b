import type { ApprovalDecision, ApprovalRequest, CodeModeTool, JsonValue, ToolRequest } from "@code-mode/contract";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ApprovalEvent } from "../../src/policy/approval.ts";
import { ApprovalDesk, type ApprovalDeskOptions, approvalTtlMs } from "../../src/policy/approval-desk.ts";

const tool: CodeModeTool = { name: "send", description: "", approval: "always", execute: () => null };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function request(input: JsonValue = { to: "a" }, changed: Partial<CodeModeTool> = {}, sessionId = "s"): ToolRequest {
  const scope = { agentId: "main", sessionId, sessionKey: sessionId, agentRunId: "r", sender: "ada" };
  const call = { callId: "c", cellId: "x", parentToolCallId: "p", toolId: "openclaw:core:send", input, scope };
  return { call: { ...call, restartSafe: false }, tool: { ...tool, ...changed }, input };
}

function parking(options: Partial<ApprovalDeskOptions> = {}): ApprovalDesk {
  return new ApprovalDesk({ tools: {} }, { unattended: "park", ...options });
}

type Asked = { readonly id: string; readonly decision: Promise<ApprovalDecision>; abort(): void };

function ask(at: ApprovalDesk, asked: ToolRequest = request()): Asked {
  let id = "";
  const stop = new AbortController();
  const onPending = (approvalId: string): void => {
    id = approvalId;
  };
  const decision = at.request({ ...asked, signal: stop.signal, onPending } satisfies ApprovalRequest);
  return { id, decision, abort: () => stop.abort() };
}

const byMe = { approved: true, by: "test" };

it("APR-1 one request shows the real nested tool, its arguments, the parent cell and the session", () => {
  const at = parking();
  const { id } = ask(at);
  expect(id).toMatch(/^apr_[0-9a-f]{32}$/);
  expect(at.list()).toEqual([
    {
      id,
      state: "pending",
      ...{ sessionId: "s", sessionKey: "s", agentId: "main", agentRunId: "r", sender: "ada" },
      ...{ cellId: "x", callId: "c", parentToolCallId: "p", toolId: "openclaw:core:send", toolName: "send" },
      input: { to: "a" },
      createdAt: expect.any(String),
      expiresAt: new Date(Date.now() + 900_000).toISOString(),
    },
  ]);
});

it("APR-1 parallel requests are independent: each has its own id and only its own decision", async () => {
  const at = parking();
  const [one, two] = [ask(at, request({ n: 1 })), ask(at, request({ n: 2 }))];
  expect(at.decide(one.id, { approved: false, by: "test", reason: "no" }).type).toBe("decided");
  expect(at.get(two.id)?.state).toBe("pending");
  at.decide(two.id, byMe);
  expect(await one.decision).toEqual({ approved: false, code: "approval_denied", reason: "no" });
  expect(await two.decision).toEqual({ approved: true, approvalId: two.id });
});

it("APR-2 a grant is good once, for exactly the input, tool definition and session that were asked about", () => {
  const at = parking();
  const grant = (): string => {
    const { id } = ask(at);
    at.decide(id, byMe);
    return id;
  };
  const id = grant();
  expect([at.confirm(request(), id), at.confirm(request(), id)]).toEqual([true, false]);
  expect(at.confirm(request({ to: "b" }), grant())).toBe(false);
  expect(at.confirm(request(undefined, { description: "now it does something else" }), grant())).toBe(false);
  expect(at.confirm(request(undefined, { parameters: { type: "string" } }), grant())).toBe(false);
  expect(at.confirm(request(undefined, {}, "other"), grant())).toBe(false);
  expect(at.confirm(request(), undefined)).toBe(false);
  expect(at.confirm(request(), "apr_unknown")).toBe(false);
});

it("APR-2 keys in another order are the same arguments", () => {
  const at = parking();
  const { id } = ask(at, request({ a: 1, b: { c: 2, d: 3 } }));
  at.decide(id, byMe);
  expect(at.confirm(request({ b: { d: 3, c: 2 }, a: 1 }), id)).toBe(true);
});

it("APR-2 a tool that was redefined or removed while the person read runs under no old grant", () => {
  let current: CodeModeTool | undefined = tool;
  const at = parking({ resolveTool: () => current });
  const grant = (): string => {
    const { id } = ask(at);
    at.decide(id, byMe);
    return id;
  };
  expect(at.confirm(request(), grant())).toBe(true);
  const before = grant();
  current = { ...tool, description: "pays to somebody else" };
  expect(at.confirm(request(), before)).toBe(false);
  const other = grant();
  current = undefined;
  expect(at.confirm(request(), other)).toBe(false);
});

it("only the first decision counts, and a late one is told how the request ended", () => {
  const at = parking();
  const { id } = ask(at);
  at.decide(id, { approved: false, by: "ada" });
  expect(at.decide(id, byMe)).toMatchObject({ type: "settled_before", approval: { state: "denied", by: "ada" } });
  expect(at.decide("apr_0", byMe)).toEqual({ type: "unknown" });
});

it("APR-3 a request expires no later than the programs that wait for it, with approval_expired", async () => {
  expect([approvalTtlMs(900), approvalTtlMs(10)]).toEqual([890_000, 9_000]);
  const at = parking({ ttlMs: approvalTtlMs(10) });
  const { id, decision } = ask(at);
  vi.advanceTimersByTime(8_999);
  expect(at.get(id)?.state).toBe("pending");
  vi.advanceTimersByTime(1);
  expect(await decision).toMatchObject({ approved: false, code: "approval_expired" });
  expect(at.decide(id, byMe)).toMatchObject({ type: "settled_before", approval: { state: "expired" } });
});

it("APR-2 pending requests of an ended session are closed, those of others stay", async () => {
  const at = parking();
  const [mine, other] = [ask(at), ask(at, request({}, {}, "t"))];
  at.closeSession("s");
  expect(await mine.decision).toMatchObject({ approved: false, reason: "the session ended" });
  expect([at.get(mine.id)?.state, at.get(other.id)?.state]).toEqual(["closed", "pending"]);
});

it("an aborted call closes its request, also one that was granted and has not run", async () => {
  const at = parking();
  const waiting = ask(at);
  waiting.abort();
  expect((await waiting.decision).approved).toBe(false);
  expect(at.get(waiting.id)?.state).toBe("closed");
  const granted = ask(at);
  at.decide(granted.id, byMe);
  granted.abort();
  expect(at.confirm(request(), granted.id)).toBe(false);
});

it("a person of the session is asked at once, and is let go when somebody else decides", async () => {
  const at = parking();
  const person = { isThere: () => true, ask: vi.fn(async () => ({ approved: true as const })) };
  const leave = at.attend("s", person);
  const asked = ask(at);
  expect(await asked.decision).toEqual({ approved: true, approvalId: asked.id });
  expect(at.get(asked.id)).toMatchObject({ state: "approved", by: "elicitation" });
  leave();
  let takenBack: AbortSignal | undefined;
  at.attend("s", {
    isThere: () => true,
    ask: (_request, { signal }) => {
      takenBack = signal;
      return new Promise(() => undefined);
    },
  });
  at.decide(ask(at).id, { approved: false, by: "http" });
  expect(takenBack?.aborted).toBe(true);
});

it("a person who is away, or whose question cannot be put, leaves the request to others", async () => {
  const at = parking();
  at.attend("s", { isThere: () => false, ask: () => expect.unreachable() });
  const away = ask(at);
  expect(at.get(away.id)?.state).toBe("pending");
  at.attend("s", { isThere: () => true, ask: () => Promise.reject(new Error("the connection is gone")) });
  const broken = ask(at);
  await vi.advanceTimersByTimeAsync(0);
  expect(at.get(broken.id)?.state).toBe("pending");
  at.decide(broken.id, byMe);
  expect((await broken.decision).approved).toBe(true);
});

it("a person who comes back is asked what came up meanwhile, each request once", async () => {
  const at = parking();
  let there = false;
  const asked: unknown[] = [];
  at.attend("s", {
    isThere: () => there,
    ask: async ({ input }) => {
      asked.push(input);
      return { approved: true };
    },
  });
  const [one, other] = [ask(at, request({ n: 1 })), ask(at, request({ n: 2 }, {}, "t"))];
  at.remind("s");
  expect(asked).toEqual([]);
  there = true;
  at.remind("s");
  at.remind("s");
  expect((await one.decision).approved).toBe(true);
  expect([asked, at.get(other.id)?.state]).toEqual([[{ n: 1 }], "pending"]);
});

it("a listener that fails keeps no decision from its call", async () => {
  const said: string[] = [];
  const at = parking({ log: (message) => void said.push(message) });
  at.onEvent(() => {
    throw new Error("the disk is full");
  });
  const { id, decision } = ask(at);
  at.decide(id, byMe);
  expect(await decision).toEqual({ approved: true, approvalId: id });
  expect(said).toEqual([
    `approval_requested of ${id} could not be told: the disk is full`,
    `approval_decided of ${id} could not be told: the disk is full`,
  ]);
});

it("where nobody can ever decide, the call is denied at once with the way out", async () => {
  const at = new ApprovalDesk({ tools: {} });
  const { id, decision } = ask(at);
  expect(await decision).toMatchObject({ approved: false, reason: expect.stringContaining("tools.approval.rules") });
  expect([id, at.list()]).toEqual(["", []]);
});

it("lists and events hold no secrets, the open request itself shows what will run", () => {
  const events: ApprovalEvent[] = [];
  const at = parking({ redact: () => "redacted" });
  at.onEvent((event) => void events.push(event));
  const { id } = ask(at);
  expect(at.get(id)?.input).toEqual({ to: "a" });
  at.decide(id, { approved: false, by: "ada", reason: "no" });
  const [inList] = at.list({ state: "denied" });
  expect([inList?.input, at.get(id)?.input]).toEqual(["redacted", "redacted"]);
  const facts = { approvalId: id, sessionId: "s", agentRunId: "r", cellId: "x", callId: "c", parentToolCallId: "p" };
  expect(events).toEqual([
    expect.objectContaining({ type: "approval_requested", ...facts, input: "redacted", toolName: "send" }),
    expect.objectContaining({ type: "approval_decided", ...facts, approved: false, by: "ada", reason: "no" }),
  ]);
});

it("the list shows open requests first and filters by session and state", () => {
  const at = parking();
  const [first, second, other] = [ask(at), ask(at), ask(at, request({}, {}, "t"))];
  at.decide(first.id, byMe);
  expect(at.list().map(({ id }) => id)).toEqual([second.id, other.id, first.id]);
  expect(at.list({ sessionId: "t" }).map(({ id }) => id)).toEqual([other.id]);
  expect(at.list({ sessionId: "s", state: "approved" }).map(({ id }) => id)).toEqual([first.id]);
});

it("a program in a loop cannot bury the requests of others: 64 a session wait, the next is denied", async () => {
  const at = parking();
  for (let count = 0; count < 64; count++) ask(at);
  expect(await ask(at).decision).toMatchObject({ approved: false, reason: expect.stringContaining("64 calls") });
  expect(at.get(ask(at, request({}, {}, "t")).id)?.state).toBe("pending");
  expect(at.list({ state: "pending" })).toHaveLength(65);
});

it("of requests that have ended only the last 500 are kept", () => {
  const at = parking();
  const ids = Array.from({ length: 501 }, () => {
    const { id } = ask(at);
    at.decide(id, byMe);
    return id;
  });
  expect([at.list().length, at.get(ids[0] as string), at.get(ids[1] as string)?.state]).toEqual([
    500,
    undefined,
    "approved",
  ]);
});

it("MCPC-3 a request for a tool that changed since it was approved says so, in its session only", () => {
  const at = parking();
  const first = ask(at);
  expect(at.get(first.id)?.changed).toBeUndefined();
  at.decide(first.id, byMe);
  expect(at.get(ask(at).id)?.changed).toBeUndefined();
  expect(at.get(ask(at, request({ to: "a" }, { description: "now pays" })).id)?.changed).toBe(true);
  expect(at.get(ask(at, request({ to: "a" }, { description: "now pays" }, "other")).id)?.changed).toBeUndefined();
});
