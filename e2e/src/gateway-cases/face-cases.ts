import { setTimeout as after } from "node:timers/promises";
import type { CodeModeResult, JsonObject, JsonValue } from "@code-mode/contract";
import { asList, type BugCase, isJsonObject, stepsOf } from "@code-mode/testkit";
import { CaseGateway } from "./case-gateway.ts";
import { programOf } from "./exec-turn.ts";
import { FaceClient } from "./face-client.ts";
import { equalWord, neverWord, type PlayCase, type PlayedCase, seenOf, word } from "./played-case.ts";

/** Cases of the MCP front end (L21, M21, P30, R28). */
export const faceCases: Readonly<Record<string, PlayCase>> = {
  L21: playBusyCells,
  M21: playCancelledCall,
  P30: playFailedCall,
  R28: playRestart,
};

async function playBusyCells(): Promise<PlayedCase> {
  await using gateway = await CaseGateway.open({
    config: { tools: { codeMode: { enabled: true, timeoutMs: 5_000 } } },
  });
  await using client = await FaceClient.open(gateway);
  const cells = Promise.all(Array.from({ length: 8 }, () => client.result("exec", { code: "while (true) {}" })));
  const latencies: number[] = [];
  let busy = true;
  void cells.finally(() => {
    busy = false;
  });
  while (busy) {
    const startedAt = performance.now();
    await fetch(`${gateway.process.url}/healthz`);
    latencies.push(performance.now() - startedAt);
    await after(100);
  }
  const p99 = latencies.toSorted((a, b) => a - b)[Math.ceil(latencies.length * 0.99) - 1] ?? Number.NaN;
  const median = latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length / 2)] ?? Number.NaN;
  const whole = seenOf(await cells, gateway);
  return {
    whole,
    words: {
      healthP99Ms: (expected, { timeScale }) =>
        p99 <= Number(expected) * timeScale ? undefined : `the p99 of /healthz is ${p99} ms`,
      // nothing outside sees the loop itself: an answer takes at least as long as the loop stands still
      eventLoopLagMaxMs: (expected, { timeScale }) =>
        median <= Number(expected) * timeScale ? undefined : `the median of /healthz is ${median} ms`,
    },
  };
}

async function playCancelledCall({ input }: BugCase): Promise<PlayedCase> {
  const [call] = asList(input.messages).filter(isJsonObject);
  await using gateway = await CaseGateway.open();
  await using client = await FaceClient.open(gateway);
  const cancel = new AbortController();
  const answer = client.call("exec", { code: String(call?.code) }, cancel.signal).then(
    () => "answered",
    () => "cancelled",
  );
  await untilCalls(gateway, 1);
  const cancelledAt = performance.now();
  cancel.abort();
  for (let waited = 0; waited < 5_000 && gateway.journal.aborted.length === 0; waited += 20) await after(20);
  const abortedAfterMs = performance.now() - cancelledAt;
  const suspended = (await (await gateway.process.fetch("/api/suspended")).json()) as { suspended?: unknown[] };
  await client.ping();
  const outcome = await answer;
  return {
    whole: seenOf([]),
    words: {
      afterMs: (expected, { timeScale }) =>
        abortedAfterMs <= Number(expected) * timeScale ? undefined : `the call was aborted after ${abortedAfterMs} ms`,
      ...equalWord("nestedAborted", gateway.journal.aborted.includes("slow")),
      ...equalWord("workersAlive", suspended.suspended?.length ?? null),
      ...equalWord("ping", "answered"),
      ...neverWord("", { "result for id 7 with status completed": outcome === "answered" }),
    },
  };
}

async function playFailedCall({ input }: BugCase): Promise<PlayedCase> {
  const [call] = asList(input.messages).filter(isJsonObject);
  await using gateway = await CaseGateway.open();
  await using client = await FaceClient.open(gateway);
  const answer = (await client.call("exec", { code: String(call?.code) })) as unknown as JsonObject;
  const [content] = asList(answer.content).filter(isJsonObject);
  const isWanted = (expected: JsonValue): boolean => {
    const wanted = isJsonObject(expected) ? expected : {};
    const [text] = asList(wanted.content).filter(isJsonObject);
    const matches = content?.type === text?.type && new RegExp(String(text?.matches)).test(String(content?.text));
    return answer.isError === wanted.isError && matches;
  };
  const status = isJsonObject(answer.structuredContent) ? (answer.structuredContent.status ?? null) : null;
  return {
    whole: seenOf([]),
    words: {
      ...word("result", answer, isWanted),
      ...equalWord("structuredContent", { status }),
      ...neverWord(JSON.stringify(answer), { "JSON-RPC error -32603": false }),
    },
  };
}

async function playRestart(bugCase: BugCase): Promise<PlayedCase> {
  const [, , waitStep] = stepsOf(bugCase);
  await using gateway = await CaseGateway.open();
  const before = await FaceClient.open(gateway);
  const parked = await before.result("exec", programOf(bugCase));
  await gateway.process.stop("SIGKILL");
  await before[Symbol.asyncDispose]().catch(() => undefined);
  await gateway.start();
  await using client = await FaceClient.open(gateway);
  const runId = parked.status === "waiting" ? parked.runId : "";
  const ended: CodeModeResult = await client.result("wait", { runId });
  const steps = [seenOf([parked]), seenOf([]), seenOf(waitStep?.kind === "wait" ? [ended] : [])];
  return { whole: seenOf([parked, ended], gateway), steps };
}

async function untilCalls(gateway: CaseGateway, count: number): Promise<void> {
  for (let waited = 0; waited < 15_000 && gateway.journal.calls.length < count; waited += 20) await after(20);
}
