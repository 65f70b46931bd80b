import { APICallError } from "ai";
import { expect, it } from "vitest";
import { retryDelay } from "../../src/provider/retry-delay.ts";
import { anthropicReply, anthropicText, chatReply, chatText, errorReply } from "../provider/wire-replies.ts";
import { openTurns } from "./open-turns.ts";

const soon = { "retry-after-ms": "1" };
const failure = (statusCode: number, responseHeaders: Record<string, string> = {}) =>
  new APICallError({ message: "no", url: "http://x", requestBodyValues: {}, statusCode, responseHeaders });

it("PRV-1 a busy or failing provider is asked again, and each pause is on record", async () => {
  await using open = await openTurns({
    replies: [
      errorReply(429, "slow down", soon),
      errorReply(503, "down", soon),
      errorReply(529, "overloaded", soon),
      chatText("at last"),
    ],
  });
  expect(await open.turns.run("s", { message: "go" })).toMatchObject({ text: "at last", steps: 1 });
  const retries = open.events().filter(({ type }) => type === "model_retry");
  expect(retries).toMatchObject([
    { attempt: 1, delayMs: 1, reason: expect.stringContaining("answered 429: slow down") },
    { attempt: 2 },
    { attempt: 3 },
  ]);
});

it("PRV-1 after four attempts, and at once for errors that stay, the turn fails with what the provider said", async () => {
  await using busy = await openTurns({ replies: [errorReply(500, "broken inside", soon)] });
  await expect(busy.turns.run("s", { message: "go" })).rejects.toMatchObject({
    status: 502,
    code: "provider_error",
    message: "p/test answered 500 (asked 4 times): broken inside. Try again later.",
    details: { status: 500, attempts: 4 },
  });
  expect(busy.provider.requests).toHaveLength(4);
  await using refused = await openTurns({ replies: [errorReply(400, "context too long")] });
  await expect(refused.turns.run("s", { message: "go" })).rejects.toThrow("answered 400: context too long.");
  expect(refused.provider.requests).toHaveLength(1);
});

it("PRV-1 pauses double, follow Retry-After, and never get longer than a minute", () => {
  expect([1, 2, 3, 4].map((attempt) => retryDelay(failure(500), attempt))).toEqual([500, 1000, 2000, undefined]);
  expect(retryDelay(failure(429, { "retry-after": "7" }), 1)).toBe(7000);
  expect(retryDelay(failure(429, { "retry-after": new Date(0).toUTCString() }), 1)).toBe(0);
  expect(retryDelay(failure(429, { "retry-after": "60" }), 1)).toBe(60_000);
  expect(retryDelay(failure(429, { "retry-after": "61" }), 1)).toBeUndefined();
  expect(retryDelay(failure(429, { "retry-after": "soon" }), 1)).toBe(500);
  expect([400, 401, 404, 408].map((status) => retryDelay(failure(status), 1))).toEqual([
    undefined,
    undefined,
    undefined,
    500,
  ]);
});

it("PRV-1 an abort ends the pause before the next attempt", async () => {
  await using open = await openTurns({ replies: [errorReply(429, "slow down", { "retry-after": "60" })] });
  const turn = open.turns.start("s", { message: "go" });
  const waiting = Promise.withResolvers<void>();
  open.log.subscribe("s", (_id, { type }) => {
    if (type === "model_retry") waiting.resolve();
  });
  await waiting.promise;
  turn.abort("enough");
  await expect(turn.done).rejects.toMatchObject({ code: "aborted" });
  expect(open.provider.requests).toHaveLength(1);
});

it("PRV-1 no message shows the key, even when the provider repeats it", async () => {
  const key = "secret-key-of-a-test";
  await using open = await openTurns({ replies: [errorReply(401, `Incorrect API key provided: ${key}`)] });
  const error = (await open.turns.run("s", { message: "go" }).catch((thrown: unknown) => thrown)) as Error;
  expect(error.message).toMatch(
    /^p\/test answered 401: Incorrect API key provided: .*Check models\.providers\.p\.apiKey\.$/,
  );
  expect(error.message + JSON.stringify(error) + String(error.stack) + String(error.cause)).not.toContain(key);
  expect(JSON.stringify(open.events())).not.toContain(key);
});

it("PRV-1 a stream that breaks off before any text is asked for again; a call in it never runs", async () => {
  const cut = chatReply([
    {
      tool_calls: [
        {
          index: 0,
          id: "a",
          function: { name: "exec", arguments: '{"code":"await tools.counter_incr({key:\'cut\'})"}' },
        },
      ],
    },
  ]);
  const pieces = cut.pieces.slice(0, 1);
  await using closed = await openTurns({ replies: [{ pieces }, chatText("whole")] });
  expect((await closed.turns.run("s", { message: "go" })).text).toBe("whole");
  await using broken = await openTurns({ replies: [{ pieces, breakOff: true }, chatText("whole")] });
  expect((await broken.turns.run("s", { message: "go" })).text).toBe("whole");
  expect((globalThis as { testCounters?: object }).testCounters ?? {}).not.toHaveProperty("cut");
});

it("PRV-1 a stream that breaks off within the text fails the turn and keeps what was read", async () => {
  const pieces = chatReply([{ content: "half an ans" }]).pieces.slice(0, 1);
  await using open = await openTurns({ replies: [{ pieces }, chatText("again")] });
  await expect(open.turns.run("s", { message: "go" })).rejects.toThrow(
    "the stream ended before the reply was complete",
  );
  expect(open.provider.requests).toHaveLength(1);
  expect(open.events().find(({ type }) => type === "text")).toMatchObject({ text: "half an ans", interrupted: true });
  expect((await open.turns.run("s", { message: "go on" })).text).toBe("again");
  expect(open.provider.requests[1]?.body.messages.map(({ content }: { content: unknown }) => content)).toEqual([
    "go",
    "half an ans",
    "go on",
  ]);
});

it("PRV-1 an error event within the stream is an error with its own words; Anthropic's overload is retried", async () => {
  await using chat = await openTurns({
    replies: [{ pieces: ['data: {"error":{"message":"quota is used up","type":"insufficient_quota"}}\n\n'] }],
  });
  await expect(chat.turns.run("s", { message: "go" })).rejects.toThrow(/p\/test .*quota is used up/);
  const overloaded = {
    pieces: ['event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n'],
  };
  await using anthropic = await openTurns({
    replies: [overloaded, anthropicReply([anthropicText("ok")], "end_turn")],
    provider: { api: "anthropic" },
  });
  expect((await anthropic.turns.run("s", { message: "go" })).text).toBe("ok");
});

it("PRV-1 a provider that cannot be reached is named with the key of the configuration", async () => {
  await using open = await openTurns({ replies: [chatText("x")], provider: { baseUrl: "http://127.0.0.1:1/v1" } });
  await expect(open.turns.run("s", { message: "go" })).rejects.toThrow(
    /p\/test did not answer \(asked 4 times\).*models\.providers\.p\.baseUrl/,
  );
});
