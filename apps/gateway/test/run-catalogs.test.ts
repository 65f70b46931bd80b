import type { CodeModeResult, RunScope } from "@code-mode/contract";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createHost, type Host } from "../src/compose.ts";
import { resolveConfig } from "../src/config/load-config.ts";
import { TemporaryFolder } from "./temporary-folder.ts";

const folder = new TemporaryFolder();
let host: Host;

/** Each of these is visible to one kind of run only; `shared` to all. */
const words = ["shared", "agentish", "sessionish", "senderish", "channelish", "clientish"];

beforeAll(async () => {
  const tools = words
    .slice(0, 5)
    .map(
      (word) => `{ name: "${word}_tool", description: "Does ${word} work.", parameters: {}, execute: () => "${word}" }`,
    );
  folder.write("p.mjs", `export default { id: "p", tools: [${tools.join(", ")}] };`);
  const only = (...allow: string[]) => ({ allow: ["shared_tool", ...allow] });
  host = await createHost({
    config: resolveConfig(
      {
        plugins: ["./p.mjs"],
        tools: {
          allow: ["openclaw:p:*", "client:*"],
          codeMode: true,
          senders: { sam: only("senderish_tool"), eve: only() },
          channels: { chat: only("channelish_tool") },
          sessions: { private: only("sessionish_tool") },
        },
        agents: { one: { tools: only("agentish_tool") }, main: { tools: { deny: ["agentish_tool"] } } },
      },
      { baseDir: folder.path },
    ),
  });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** Every way by which a program could learn of a tool, or reach it. */
const look = `
  const words = ${JSON.stringify(words)};
  const seen = { all: ALL_TOOLS.map(({ name }) => name.replace("_tool", "")).sort(), ways: [] };
  for (const word of words) {
    const name = word + "_tool";
    const id = (word === "clientish" ? "client:app:" : "openclaw:p:") + name;
    const ways = [
      (await tools.search(word + " work")).some((found) => found.name === name),
      (await API.search(word)).some((found) => found.name === name),
      await tools.describe(id).then(() => true, () => false),
      await tools.describe(name).then(() => true, () => false),
      word === "clientish" ? undefined : await tools.call(id, {}).then((value) => value === word, () => false),
      typeof tools[name] === "function",
    ].filter((way) => way !== undefined);
    seen.ways.push([word, [...new Set(ways)]]);
  }
  return seen;`;

function scopeOf(fields: Partial<RunScope>): RunScope {
  const id = JSON.stringify(fields);
  return { agentId: "main", sessionId: id, sessionKey: id, agentRunId: id, ...fields };
}

async function seenBy(fields: Partial<RunScope>): Promise<unknown> {
  const result = (await host.codeMode?.exec({ code: look }, { scope: scopeOf(fields) })) as CodeModeResult;
  if (result.status !== "completed") throw new Error(JSON.stringify(result));
  return result.value;
}

function exactly(...visible: string[]): unknown {
  return { all: [...visible].sort(), ways: words.map((word) => [word, [visible.includes(word)]]) };
}

it("ACT-5 a program sees, finds, describes and reaches the tools of its own agent, session, sender and run only", async () => {
  const close = host.runs.open(
    { agentRunId: "with-client" },
    {
      clientTools: [
        {
          name: "clientish_tool",
          description: "Does clientish work.",
          origin: { kind: "client" },
          execute: () => "clientish",
        },
      ],
    },
  );
  const runs: readonly [Partial<RunScope>, unknown][] = [
    [{}, exactly("shared", "sessionish", "senderish", "channelish")],
    [{ agentId: "one" }, exactly("shared", "agentish")],
    [{ sessionId: "private" }, exactly("shared", "sessionish")],
    [{ sender: "sam" }, exactly("shared", "senderish")],
    [{ sender: "eve" }, exactly("shared")],
    [{ channel: "chat" }, exactly("shared", "channelish")],
    [{ channel: "chat", sender: "sam" }, exactly("shared")],
    [{ agentRunId: "with-client" }, exactly("shared", "sessionish", "senderish", "channelish", "clientish")],
    [{ agentRunId: "another" }, exactly("shared", "sessionish", "senderish", "channelish")],
  ];
  // twice, and all at once: neither a catalog that was kept nor an index that is shared may carry anything over
  const seen = await Promise.all([...runs, ...runs.toReversed()].map(([fields]) => seenBy(fields)));
  expect(seen).toEqual([...runs, ...runs.toReversed()].map(([, expected]) => expected));
  close();
  expect(await seenBy({ agentRunId: "with-client" })).toEqual(
    exactly("shared", "sessionish", "senderish", "channelish"),
  );
});

it("ACT-5 a suspended program keeps the catalog of its run while others get theirs", async () => {
  const scope = scopeOf({ agentId: "one" });
  const parked = await host.codeMode?.exec({ code: `await yield_control(); ${look}` }, { scope });
  expect(await seenBy({ sender: "sam" })).toEqual(exactly("shared", "senderish"));
  const runId = parked?.status === "waiting" ? parked.runId : "";
  expect(await host.codeMode?.wait({ runId }, { scope })).toMatchObject({ value: exactly("shared", "agentish") });
});
