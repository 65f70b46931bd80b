import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import type { SessionEvent } from "../../src/store/transcript-store.ts";
import { toHtml } from "../../src/trajectory/to-html.ts";

const evil = `</pre><script>alert(1)</script><img src=x onerror="alert('2')">&amp;\u202egpj.exe`;

function eventsOf(facts: readonly object[]): readonly SessionEvent[] {
  return facts.map((fact, seq) => ({ seq, at: "2026-01-01T00:00:00.000Z", ...fact }) as unknown as SessionEvent);
}

const nested = { id: "n", parentId: "e", cellId: "c", toolId: evil };
const events = eventsOf([
  { type: "turn_started", agentRunId: "r", agentId: evil, message: evil },
  { type: "model_request", agentRunId: "r", step: 1, model: evil, tools: [evil] },
  {
    type: "model_response",
    agentRunId: "r",
    step: 1,
    model: "m",
    finishReason: evil,
    usage: { inputTokens: 3 },
    ms: 5,
  },
  { type: "text", agentRunId: "r", text: evil },
  { type: "tool_call", agentRunId: "r", toolCallId: "e", name: "exec", input: { code: evil } },
  { type: "cell_started", id: "e", cellId: "c", scope: {}, language: evil, code: evil },
  { type: "call_started", ...nested, input: { [evil]: evil } },
  { type: "call_progress", ...nested, update: { type: "progress", message: evil } },
  { type: "call_ended", ...nested, outcome: { ok: false, error: { message: evil } }, durationMs: 5 },
  { type: "cell_result", id: "e", cellId: "c", result: { status: evil }, durationMs: 10 },
  { type: "tool_result", agentRunId: "r", toolCallId: "e", name: "exec", result: { status: evil }, durationMs: 10 },
  { type: "approval_requested", approvalId: evil, toolName: evil },
  { type: "cell_lost", cellId: evil, was: "suspended" },
  { type: "turn_ended", agentRunId: "r", status: "failed", text: evil, durationMs: 12 },
  { type: evil, agentRunId: evil },
]);

it("everything that came from people, models and tools is text on the page, and hidden characters show", () => {
  const page = toHtml(evil, events);
  expect(page).not.toMatch(/<script|<img|onerror="/i);
  expect(page).not.toContain("\u202e");
  expect(page).toContain("\\u{202e}gpj.exe");
  expect(page.match(/&lt;script&gt;alert\(1\)&lt;\/script&gt;/g)?.length).toBeGreaterThanOrEqual(15);
  const tags = new Set([...page.matchAll(/<([a-z][a-z0-9]*)/gi)].map(([, tag]) => tag));
  expect([...tags].sort()).toEqual(
    [
      "body",
      "code",
      "details",
      "div",
      "h1",
      "h2",
      "head",
      "html",
      "main",
      "meta",
      "p",
      "pre",
      "rect",
      "section",
    ].concat(["span", "strong", "style", "summary", "svg", "title"]),
  );
});

it("the page needs nothing else: no script, no address, and a policy that forbids both but for its own style", () => {
  const page = toHtml("s", events);
  expect(page).not.toMatch(/<[a-z][^>]*\s(?:src|href|action|data|srcset|style|on\w+)=|url\(|@import|https?:/i);
  const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1];
  const style = /<style>([\s\S]*)<\/style>/.exec(page)?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  expect(policy).toBe(`default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`);
});

it("TRJ-2 nested calls stand inside of the exec or wait call that they belong to, with their time in it", () => {
  const at = (ms: number): string => new Date(Date.UTC(2026, 0, 1) + ms).toISOString();
  const call = (id: string, parentId: string) => ({ id, parentId, cellId: "c", toolId: `tool-${id}` });
  const ended = { outcome: { ok: true, value: 1 }, durationMs: 50 };
  const page = toHtml(
    "s",
    eventsOf([
      { type: "turn_started", agentId: "main", message: "go" },
      { type: "tool_call", toolCallId: "e", name: "exec", input: {}, at: at(0) },
      { type: "cell_started", id: "e", cellId: "c", language: "javascript", code: "first", at: at(0) },
      { type: "call_started", ...call("a", "e"), input: {}, at: at(25) },
      { type: "call_ended", ...call("a", "e"), ...ended, at: at(75) },
      { type: "tool_result", toolCallId: "e", name: "exec", result: { status: "waiting" }, durationMs: 100 },
      { type: "tool_call", toolCallId: "w", name: "wait", input: {}, at: at(100) },
      { type: "cell_resumed", id: "w", cellId: "c", at: at(100) },
      { type: "call_started", ...call("b", "w"), input: {}, at: at(150) },
      { type: "call_ended", ...call("b", "w"), ...ended, at: at(200) },
      { type: "tool_result", toolCallId: "w", name: "wait", result: { status: "completed" }, durationMs: 100 },
    ]),
  );
  const [, exec = "", wait = ""] = page.split('<div class="call"');
  expect([exec.includes("tool-a"), exec.includes("tool-b"), wait.includes("tool-a"), wait.includes("tool-b")]).toEqual([
    true,
    false,
    false,
    true,
  ]);
  expect(exec).toContain('<rect x="25.00" y="1" width="50.00"');
  expect(wait).toContain('<rect x="50.00" y="1" width="50.00"');
});

it("a session without events and one of ten thousand events give whole pages", () => {
  expect(toHtml("empty", [])).toMatch(/0 turns, 0 events[\s\S]*<\/html>\n$/);
  const many = eventsOf([
    { type: "turn_started", agentId: "main", message: "go" },
    { type: "cell_started", id: "e", cellId: "c", language: "javascript", code: "1" },
    ...Array.from({ length: 5000 }, (_, n) => [
      { type: "call_started", id: `n${n}`, parentId: "e", cellId: "c", toolId: "t", input: {} },
      {
        type: "call_ended",
        id: `n${n}`,
        parentId: "e",
        cellId: "c",
        toolId: "t",
        outcome: { ok: true },
        durationMs: 1,
      },
    ]).flat(),
  ]);
  expect(toHtml("many", many).match(/<div class="nested">/g)).toHaveLength(5000);
});
