import type { CallRecord, JsonValue, RunScope } from "@code-mode/contract";
import { expect, it } from "vitest";
import { createHost, enabledCodeMode, type Host } from "../../src/compose.ts";
import { resolveConfig } from "../../src/config/load-config.ts";
import type { AuditEvent } from "../../src/policy/audit-event.ts";
import { TemporaryFolder } from "../temporary-folder.ts";

const scope: RunScope = {
  ...{ agentId: "main", sessionId: "s", sessionKey: "main:s", agentRunId: "r" },
  ...{ sender: "ada", channel: "mail" },
};

/** Hooks and tools of the suite; `globalThis.onePath` is the test's hand in them. */
const plugin = `const seen = (globalThis.onePath = { ran: [], scopes: [], after: [], narrow() {}, begun() {} });
const schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
const execute = ({ n }, { agentId, sessionId, sessionKey, runId, sender, channel }) => {
  seen.ran.push(n);
  seen.scopes.push({ agentId, sessionId, sessionKey, runId, sender, channel });
  if (n === 13) throw Object.assign(new Error("unlucky"), { code: "unlucky" });
  return { twice: n * 2 };
};
const tool = (name, extra) => ({ name, description: "", parameters: schema, execute, ...extra });
export default {
  id: "p",
  tools: [tool("plain"), tool("rewritten"), tool("blocked"), tool("throwing"), tool("late"), tool("broken"),
    { ...tool("stopped"), execute: (_input, { signal, onUpdate }) => new Promise((_resolve, reject) => {
      onUpdate("half way");
      signal.addEventListener("abort", () => { seen.ran.push("aborted"); reject(new Error("aborted")); });
      seen.begun();
    }) },
    tool("narrowed"), tool("asked", { approval: "always" })],
  hooks: {
    before_tool_call({ toolName, input }) {
      if (toolName === "rewritten") return { input: { n: input.n + 100 } };
      if (toolName === "blocked") return { block: true, reason: "not on Sundays" };
      if (toolName === "throwing") throw new Error("the hook is broken");
      if (toolName === "late") return new Promise(() => {});
      if (toolName === "broken") return { input: { n: "no number" } };
      if (toolName === "narrowed") seen.narrow();
    },
    after_tool_call({ toolName, input, outcome }) { seen.after.push([toolName, input, outcome.ok]); },
  },
};`;

type Seen = { ran: unknown[]; scopes: unknown[]; after: unknown[]; narrow(): void; begun(): void };
const seen = (): Seen => (globalThis as unknown as { onePath: Seen }).onePath;

type Way = AsyncDisposable & {
  readonly host: Host;
  readonly records: CallRecord[];
  readonly audit: AuditEvent[];
  call(name: string, input: JsonValue, signal?: AbortSignal): Promise<void>;
};

const ways = ["nested", "direct"] as const;

/** A host whose tools are called by a program, or by the model itself. */
async function open(way: (typeof ways)[number]): Promise<Way> {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(new TemporaryFolder());
  folder.write("p.mjs", plugin);
  const config = resolveConfig(
    { plugins: ["./p.mjs"], tools: { codeMode: way === "nested" } },
    { baseDir: folder.path },
  );
  const [records, audit]: [CallRecord[], AuditEvent[]] = [[], []];
  const host = stack.use(
    await createHost({
      config,
      unattended: "park",
      recorder: { record: (record) => void records.push(record) },
      audit: (event) => void audit.push(event),
    }),
  );
  const nested: Way["call"] = async (name, input, signal) => {
    const abort = signal === undefined ? {} : { signal };
    const code = `await tools.call(${JSON.stringify(`openclaw:p:${name}`)}, ${JSON.stringify(input)}).catch(() => 0)`;
    let result = await enabledCodeMode(host).exec({ code }, { scope, toolCallId: "parent", ...abort });
    while (result.status === "waiting")
      result = await enabledCodeMode(host).wait({ runId: result.runId }, { scope, toolCallId: "parent" });
    expect(result.status).toBe(signal === undefined ? "completed" : "failed");
  };
  const direct: Way["call"] = async (name, input, signal) => {
    const { tools } = await host.activate(scope);
    const abort = signal === undefined ? {} : { signal };
    await tools.find((tool) => tool.name === name)?.call(input, { scope, toolCallId: "parent", ...abort });
  };
  return {
    ...{ host, records, audit },
    call: way === "nested" ? nested : direct,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** What must be the same on both ways: everything but the ids of the call. */
function facts({ call, toolName, executedInput, outcome }: CallRecord): object {
  const { toolId, input, scope: of, parentToolCallId, restartSafe } = call;
  return { toolName, executedInput, outcome, toolId, input, scope: of, parentToolCallId, restartSafe };
}

type Traces = {
  readonly records: object[];
  readonly after: unknown[];
  readonly ran: unknown[];
  readonly scopes: unknown[];
};

/** Does the same on both ways and gives what was recorded, once for each. */
async function both(work: (way: Way) => Promise<void>): Promise<readonly [Traces, Traces]> {
  const traces: Traces[] = [];
  for (const name of ways) {
    await using way = await open(name);
    Object.assign(seen(), { ran: [], scopes: [], after: [] });
    await work(way);
    const { after, ran, scopes } = seen();
    traces.push({ records: way.records.map(facts), after: [...after], ran: [...ran], scopes: [...scopes] });
  }
  return traces as unknown as readonly [Traces, Traces];
}

const common = { parentToolCallId: "parent", scope, restartSafe: false };

it("NEST-1 a nested call and a direct one keep agent, session, sender and channel, and leave the same record", async () => {
  const [nested, direct] = await both((way) => way.call("plain", { n: 1 }));
  expect(nested).toEqual(direct);
  const { agentRunId: runId, ...who } = scope;
  expect(nested.scopes).toEqual([{ ...who, runId }]);
  expect(nested.records).toEqual([
    {
      ...common,
      ...{ toolName: "plain", toolId: "openclaw:p:plain", input: { n: 1 }, executedInput: { n: 1 } },
      outcome: { ok: true, value: { twice: 2 }, executedInput: { n: 1 } },
    },
  ]);
});

it("NEST-1 on both ways an abort of the outer call reaches the tool, and the record says that it had begun", async () => {
  const [nested, direct] = await both(async (way) => {
    const stop = new AbortController();
    seen().begun = () => setImmediate(() => stop.abort());
    await way.call("stopped", { n: 1 }, stop.signal);
  });
  expect(nested).toEqual(direct);
  expect(nested).toMatchObject({
    ran: ["aborted"],
    records: [{ outcome: { ok: false, started: true, error: { code: "aborted" } } }],
  });
});

it("PLG-2 on both ways the input that a hook rewrote is what runs, what after-hooks see and what is recorded", async () => {
  const [nested, direct] = await both((way) => way.call("rewritten", { n: 1 }));
  expect(nested).toEqual(direct);
  expect(nested).toMatchObject({
    ran: [101],
    after: [["rewritten", { n: 101 }, true]],
    records: [{ input: { n: 1 }, executedInput: { n: 101 }, outcome: { value: { twice: 202 } } }],
  });
});

it.each([
  ["blocks", "blocked", "blocked_by_hook", "not on Sundays"],
  ["throws", "throwing", "blocked_by_hook", "the hook is broken"],
  ["takes longer than 5 s", "late", "blocked_by_hook", "5000 ms"],
  ["leaves an input that breaks the schema", "broken", "invalid_tool_input", "input.n must be number"],
])("PLG-2 on both ways a hook that %s keeps the call from running", async (_what, name, code, message) => {
  const [nested, direct] = await both((way) => way.call(name, { n: 1 }));
  expect(nested).toEqual(direct);
  expect(nested.ran).toEqual([]);
  expect(nested.records).toMatchObject([
    { outcome: { ok: false, started: false, error: { code, message: expect.stringContaining(message) } } },
  ]);
});

it("NEST-4 on both ways a tool that became denied while hooks ran is refused like an unknown one, and that is told", async () => {
  const denials: AuditEvent[][] = [];
  const [nested, direct] = await both(async (way) => {
    seen().narrow = () => void way.host.runs.open(scope, { request: { deny: ["narrowed"] } });
    await way.call("narrowed", { n: 1 });
    denials.push(way.audit);
  });
  expect(nested).toEqual(direct);
  expect(nested.ran).toEqual([]);
  expect(nested.records).toMatchObject([
    {
      outcome: {
        error: { code: "unknown_tool", message: expect.stringMatching(/^Unknown tool id "openclaw:p:narrowed"\./) },
      },
    },
  ]);
  const denied = { level: "request", key: "the request's tools.deny", rule: "narrowed" };
  for (const told of denials)
    expect(told).toMatchObject([
      { type: "policy_denied", toolId: "openclaw:p:narrowed", sessionId: "s", agentRunId: "r", ...denied },
    ]);
});

it("NEST-4 on both ways a call that needs an approval waits for it, and what the tool throws is recorded", async () => {
  const [nested, direct] = await both(async (way) => {
    let approved = true;
    way.host.approvals.onEvent((event) => {
      if (event.type !== "approval_requested") return;
      setImmediate(() => way.host.approvals.decide(event.approvalId, { approved, by: "test", reason: "said so" }));
    });
    await way.call("asked", { n: 13 });
    approved = false;
    await way.call("asked", { n: 1 });
  });
  expect(nested).toEqual(direct);
  expect(nested).toMatchObject({
    ran: [13],
    records: [
      { outcome: { ok: false, started: true, error: { code: "unlucky", message: "unlucky" } } },
      { outcome: { ok: false, started: false, error: { code: "approval_denied" } } },
    ],
  });
});
