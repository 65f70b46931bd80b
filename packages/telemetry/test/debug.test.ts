import { describe, expect, it } from "vitest";
import { createDebugLog, debugFlags } from "../src/index.ts";

function logOf(env: Record<string, string>, secrets: string[] = []) {
  const lines: string[] = [];
  return { lines, log: createDebugLog({ flags: debugFlags(env), secrets, write: (line) => lines.push(line) }) };
}

describe("debug variables", () => {
  it("DBG-1 each variable switches on what its name says", () => {
    expect(debugFlags({})).toEqual({
      codeMode: false,
      modelTransport: false,
      modelPayload: "off",
      sse: "off",
      problems: [],
    });
    expect(
      debugFlags({
        OPENCLAW_DEBUG_CODE_MODE: "1",
        OPENCLAW_DEBUG_MODEL_TRANSPORT: "1",
        OPENCLAW_DEBUG_MODEL_PAYLOAD: "full-redacted",
        OPENCLAW_DEBUG_SSE: "peek",
      }),
    ).toEqual({ codeMode: true, modelTransport: true, modelPayload: "full-redacted", sse: "peek", problems: [] });
    expect(debugFlags({ OPENCLAW_DEBUG_MODEL_PAYLOAD: "tools", OPENCLAW_DEBUG_SSE: "events" })).toMatchObject({
      modelPayload: "tools",
      sse: "events",
    });
  });

  it("DBG-1 an unknown value switches nothing on and is reported with the accepted ones", () => {
    const flags = debugFlags({
      OPENCLAW_DEBUG_MODEL_PAYLOAD: "full",
      OPENCLAW_DEBUG_SSE: "peak",
      OPENCLAW_DEBUG_CODE_MODE: "yes",
    });
    expect(flags).toMatchObject({ codeMode: false, modelPayload: "off", sse: "off" });
    expect(flags.problems).toHaveLength(3);
    expect(flags.problems.join()).toMatch(
      /OPENCLAW_DEBUG_SSE: "peak" is not known; use events or peek\. Did you mean peek\?/,
    );
  });

  it.each(["0", "false", "off", "", " "])("%j means off", (value) => {
    expect(debugFlags({ OPENCLAW_DEBUG_CODE_MODE: value, OPENCLAW_DEBUG_SSE: value })).toMatchObject({
      codeMode: false,
      sse: "off",
      problems: [],
    });
  });
});

describe("debug log", () => {
  const request = {
    toolNames: ["exec", "wait"],
    body: { messages: [{ content: "hi" }], apiKey: "x", note: "topsecret" },
  };

  it("without variables nothing is written", () => {
    const { lines, log } = logOf({});
    log.codeMode("a");
    log.modelTransport("b");
    log.modelPayload(request);
    log.openStream().event("delta", "c");
    expect(lines).toEqual([]);
  });

  it("DBG-1 payload mode tools shows the tool names only", () => {
    const { lines, log } = logOf({ OPENCLAW_DEBUG_MODEL_PAYLOAD: "tools" });
    log.modelPayload(request);
    expect(lines).toEqual(['[model-payload] tools {"names":["exec","wait"]}']);
  });

  it("DBG-1 a full payload is redacted and cut at 64 KiB", () => {
    const { lines, log } = logOf({ OPENCLAW_DEBUG_MODEL_PAYLOAD: "full-redacted" }, ["topsecret"]);
    log.modelPayload(request);
    expect(lines[1]).toBe(
      '[model-payload] body {"messages":[{"content":"hi"}],"apiKey":"[redacted]","note":"[redacted]"}',
    );
    log.modelPayload({ toolNames: [], body: Array.from({ length: 10_000 }, () => "some words") });
    expect(Buffer.byteLength(lines[3] ?? "")).toBeLessThan(64 * 1024 + 100);
    expect(lines[3]).toContain("cut at 65536 bytes");
  });

  it("DBG-1 peek shows the first five events of each stream, redacted; events shows all types", () => {
    const peek = logOf({ OPENCLAW_DEBUG_SSE: "peek" }, ["topsecret"]);
    const stream = peek.log.openStream();
    for (let index = 0; index < 7; index++) stream.event("delta", `topsecret ${index}`);
    peek.log.openStream().event("delta", "other");
    expect(peek.lines).toEqual([
      ...[0, 1, 2, 3, 4].map((index) => `[sse] delta [redacted] ${index}`),
      "[sse] delta other",
    ]);
    const events = logOf({ OPENCLAW_DEBUG_SSE: "events" });
    const all = events.log.openStream();
    for (let index = 0; index < 7; index++) all.event("delta", "text");
    expect(events.lines).toEqual(Array.from({ length: 7 }, () => "[sse] delta"));
  });

  it("text from outside cannot forge a line", () => {
    const { lines, log } = logOf({ OPENCLAW_DEBUG_SSE: "peek", OPENCLAW_DEBUG_CODE_MODE: "1" });
    log.openStream().event("delta", "a\n[code-mode] forged\u001b[31m");
    log.codeMode("note", { text: "a\nb" });
    expect(lines).toEqual(["[sse] delta a [code-mode] forged [31m", '[code-mode] note {"text":"a\\nb"}']);
  });
});
