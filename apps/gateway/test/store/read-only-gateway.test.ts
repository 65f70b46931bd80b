import type { DatabaseSync, StatementSync } from "node:sqlite";
import { expect, it } from "vitest";
import { openTranscriptStore } from "../../src/store/open-transcript-store.ts";
import { openTestGateway, testToken } from "../open-test-gateway.ts";
import { TemporaryFolder } from "../temporary-folder.ts";

const headers = {
  authorization: `Bearer ${testToken}`,
  accept: "application/json",
  "content-type": "application/json",
};

/** Three sessions' worth of script: each turn runs one program that says something to the user. */
function writeScript(folder: TemporaryFolder): object {
  const code = 'await tools.message({ text: "half way" }); return 42';
  const steps = [{ toolCalls: [{ name: "exec", input: { code } }] }, { text: "done ${results[0].value}" }];
  folder.write("script.json5", JSON.stringify({ steps }));
  const providers = { s: { api: "scripted" as const, script: "./script.json5" } };
  return { models: { default: "s/x", providers }, tools: { codeMode: true } };
}

/** Prepares what reads; what writes meets a full disk. */
function failWrites(database: DatabaseSync, sql: string): StatementSync {
  if (/^SELECT/i.test(sql)) return database.prepare(sql);
  throw Object.assign(new Error("database or disk is full"), { errcode: 13 });
}

it("GW-7 a gateway whose disk is full refuses turns with the reason, and goes on answering what it has", async () => {
  using folder = new TemporaryFolder();
  let full = false;
  const store = openTranscriptStore({
    dataDir: `${folder.path}/data`,
    wrapDatabase: (database) =>
      new Proxy(database, {
        get(target, key) {
          if (key === "prepare" && full) return (sql: string) => failWrites(target, sql);
          const value: unknown = Reflect.get(target, key, target);
          return typeof value === "function" ? value.bind(target) : value;
        },
      }),
  });
  await using gateway = await openTestGateway(folder, { config: writeScript(folder), store });
  const ask = async (path: string, init: RequestInit = {}) => {
    const reply = await fetch(gateway.url + path, { ...init, headers });
    return { status: reply.status, text: await reply.text() };
  };
  const turn = (id: string) => ask(`/api/sessions/${id}/turns`, { method: "POST", body: '{"message": "go"}' });
  expect((await turn("before")).status).toBe(200);
  const before = await ask("/api/sessions/before/trajectory");
  expect(before.text).toContain('"type":"message"');
  full = true;
  // statements that are prepared already go on working; the one that deletes is met here for the first time
  await ask("/api/sessions/before", { method: "DELETE" });
  expect(store.readOnly).toMatch(/is full .*Free some space/);
  full = false;
  const refused = await turn("after");
  expect([refused.status, refused.text]).toEqual([503, expect.stringMatching(/is full .*Free some space/)]);
  expect(await ask("/api/sessions/before/trajectory")).toEqual(before);
  expect((await ask("/healthz")).status).toBe(200);
});

it("GW-7 the next gateway on the folder goes on with a session: history, numbers and metrics of its own", async () => {
  using folder = new TemporaryFolder();
  const config = writeScript(folder);
  const open = () =>
    openTestGateway(folder, { config, store: openTranscriptStore({ dataDir: `${folder.path}/data` }) });
  const first = await open();
  await first.turns.run("s", { message: "go" });
  const told = first.sessions.events("s");
  await first[Symbol.asyncDispose]();
  await using second = await open();
  expect(second.sessions.events("s")).toEqual(told);
  expect(second.sessions.messages("s").map(({ message }) => message.role)).toEqual([
    "user",
    "assistant",
    "tool",
    "assistant",
  ]);
  // the script is over, so the turn fails: it has asked for the step after those of the first process
  await expect(second.turns.run("s", { message: "more" })).rejects.toThrow(/asks for number 3/);
  expect(second.sessions.events("s")[told.length]).toMatchObject({ seq: told.length, type: "turn_started" });
});

it("TEL-3 GET /metrics counts turns, model requests, cells and what stayed inside of them", async () => {
  using folder = new TemporaryFolder();
  await using gateway = await openTestGateway(folder, { config: writeScript(folder) });
  await gateway.turns.run("s", { message: "go" });
  const text = await (await fetch(`${gateway.url}/metrics`, { headers })).text();
  for (const line of [
    'code_mode_turns_total{status="completed"} 1',
    "code_mode_model_requests_total 2",
    "code_mode_cells_started_total 1",
    'code_mode_calls_total{outcome="completed"} 1',
    "code_mode_hidden_bytes_total 18",
  ])
    expect(text.split("\n")).toContain(line);
});
