import { request } from "node:http";
import { setTimeout as after } from "node:timers/promises";
import type { CodeModeResult, JsonObject, JsonValue } from "@code-mode/contract";
import { asList, type BugCase, isJsonObject, stepsOf } from "@code-mode/testkit";
import { CaseGateway } from "./case-gateway.ts";
import { FaceClient } from "./face-client.ts";
import { equalWord, neverWord, type PlayCase, type PlayedCase, seenOf, word } from "./played-case.ts";
import { programOf } from "./exec-turn.ts";

/** Cases of the HTTP surface and of the MCP front end (L21, M21, P30, R28, Z13, Z14). */
export const faceCases: Readonly<Record<string, PlayCase>> = {
  L21: playBusyCells,
  M21: playCancelledCall,
  P30: playFailedCall,
  R28: playRestart,
  Z13: playApprovalText,
  Z14: playForeignHosts,
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

async function playApprovalText(bugCase: BugCase): Promise<PlayedCase> {
  await using gateway = await CaseGateway.open();
  let asked = "";
  await using client = await FaceClient.open(gateway, (message) => {
    asked = message;
    return "decline";
  });
  const result = await client.result("exec", programOf(bugCase));
  const isWanted = (expected: JsonValue): boolean => {
    const { neverRegex, contains } = isJsonObject(expected) ? expected : {};
    return asked.includes(String(contains)) && !new RegExp(String(neverRegex)).test(asked);
  };
  return { whole: seenOf([result], gateway), words: word("approvalText", asked, isWanted) };
}

/** `fetch` sets the Host header itself. */
async function playForeignHosts({ input }: BugCase): Promise<PlayedCase> {
  await using gateway = await CaseGateway.open();
  const { port } = new URL(gateway.process.url);
  const statuses: number[] = [];
  for (const headers of asList(input.requests).filter(isJsonObject))
    for (const path of ["/v1/models", "/api/sessions"]) statuses.push(await statusOf(gateway, { port, path, headers }));
  const pairs = statuses.filter((_, index) => index % 2 === 0);
  const isSameOnBoth = statuses.every((status, index) => status === pairs[Math.floor(index / 2)]);
  return {
    whole: seenOf([]),
    words: word("httpStatus", statuses, (expected) => isSameOnBoth && JSON.stringify(expected) === JSON.stringify(pairs)),
  };
}

type Target = { readonly port: string; readonly path: string; readonly headers: JsonObject };

function statusOf(gateway: CaseGateway, { port, path, headers }: Target): Promise<number> {
  const own = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, String(value).replace("18789", port)]),
  );
  const options = { port, host: "127.0.0.1", path, headers: { authorization: `Bearer ${gateway.process.token}`, ...own } };
  return new Promise((resolve, reject) => {
    request(options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on("error", reject)
      .end();
  });
}

async function untilCalls(gateway: CaseGateway, count: number): Promise<void> {
  for (let waited = 0; waited < 15_000 && gateway.journal.calls.length < count; waited += 20) await after(20);
}
