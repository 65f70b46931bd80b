import { expect, it } from "vitest";
import { lastResult, startFakeModel } from "./fake-model.ts";
import { type GatewayProcess, startGatewayProcess } from "./gateway-process.ts";
import { scenarioConfig, scenarioFolder } from "./scenario-parts.ts";

/** Suspended at once; its `wait` then lasts until the process is killed. */
const interrupted = `await yield_control("later"); return await tools.slow_count({ ms: 60000 });`;

const again = `
const attempt = async (id) => { try { await tools.call(id, { name: "Ada" }); return "ran"; } catch { return "refused"; } };
return [(await tools.read({ path: "a.txt" })).content, await attempt("openclaw:kit:greet"), await attempt("openclaw:core:write")];`;

/** Resolves when the stream of a session's events holds this text; the stream is given up then. */
async function seen(gateway: GatewayProcess, sessionId: string, text: string): Promise<void> {
  const end = new AbortController();
  const reply = await fetch(`${gateway.url}/api/sessions/${sessionId}/events?follow=1`, {
    headers: { authorization: `Bearer ${gateway.token}` },
    signal: end.signal,
  });
  const decoder = new TextDecoder();
  let all = "";
  for await (const chunk of reply.body as unknown as AsyncIterable<Uint8Array>) {
    all += decoder.decode(chunk, { stream: true });
    if (all.includes(text)) break;
  }
  end.abort();
}

it("LIFE-7 GW-7 a turn killed in the wait of a restart-safe program goes on from its transcript, with replay-safe tools only", async () => {
  using folder = scenarioFolder();
  const told: Record<string, unknown>[] = [];
  const asked = Promise.withResolvers<void>();
  await using model = await startFakeModel((request, index) => {
    if (index === 0) return { name: "exec", input: { code: interrupted, restartSafe: true } };
    const result = lastResult(request);
    if (index === 1) {
      asked.resolve();
      return { name: "wait", input: { runId: result.runId as string } };
    }
    told.push(result);
    return told.length === 1
      ? { name: "exec", input: { code: again, restartSafe: true } }
      : { text: `read ${(result.value as string[])[0]}` };
  });
  const config = {
    ...scenarioConfig(folder, { main: model.baseUrl }),
    mcpServers: {},
    tools: { codeMode: { enabled: true, timeoutMs: 30_000 } },
  };
  const killed = await startGatewayProcess(folder, config);
  const lost = killed.post("/api/sessions/rec/turns", { message: "read it" }).catch(() => "lost");
  await asked.promise;
  await seen(killed, "rec", '"name":"wait"');
  await seen(killed, "rec", "slow_count");
  killed.running.kill("SIGKILL");
  expect(await lost).toBe("lost");
  await killed.running.ended;
  await using gateway = await startGatewayProcess(folder, config);
  await seen(gateway, "rec", "event: done");
  expect(told[0]).toMatchObject({ status: "failed", code: "aborted" });
  expect(told[1]).toMatchObject({ status: "completed", value: ["apples\n", "refused", "refused"] });
  const lines = await gateway.trajectory("rec");
  const types = lines.map(({ type }) => type);
  expect(types.filter((type) => type === "cell_lost" || type === "turn_interrupted")).toEqual([
    "cell_lost",
    "turn_interrupted",
  ]);
  const started = lines.filter(({ type }) => type === "turn_started");
  expect(started.map(({ recovers }) => recovers)).toEqual([undefined, started[0]?.agentRunId]);
  expect(lines.at(-1)).toMatchObject({ type: "turn_ended", status: "completed", text: "read apples\n" });
});
