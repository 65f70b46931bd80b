import { createHash } from "node:crypto";
import type { JsonValue } from "@code-mode/contract";
import type { SessionEvent } from "../store/transcript-store.ts";
import { escapeHtml } from "./escape-html.ts";
import { htmlStyle } from "./html-style.ts";
import {
  buildTrajectoryTree,
  type LineView,
  type NestedCallView,
  type ToolCallView,
  type TurnView,
} from "./trajectory-tree.ts";

/**
 * A session's trajectory as one HTML page that needs nothing else: no script, no other file, no network, which its
 * security policy forbids as well. Everything that came from people, models and tools is text.
 */
export function toHtml(sessionId: string, events: readonly SessionEvent[]): string {
  const hash = createHash("sha256").update(htmlStyle).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const turns = buildTrajectoryTree(events);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Session ${escapeHtml(sessionId)}</title>
<style>${htmlStyle}</style>
</head>
<body>
<h1>Session ${escapeHtml(sessionId)}</h1>
<p class="quiet">${turns.length} turns, ${events.length} events${escapeHtml(period(events))}</p>
<main>
${turns.map(turnHtml).join("\n")}
</main>
</body>
</html>
`;
}

function period(events: readonly SessionEvent[]): string {
  const [first, last] = [events[0], events.at(-1)];
  return first === undefined || last === undefined ? "" : `, ${first.at} to ${last.at}`;
}

function turnHtml(turn: TurnView, index: number): string {
  const facts = [
    turn.agentId,
    turn.at,
    turn.status,
    ...(turn.durationMs === undefined ? [] : [`${turn.durationMs} ms`]),
  ];
  return `<section>
<h2>Turn ${index + 1} <span class="quiet">${escapeHtml(facts.filter((fact) => fact !== "").join(" · "))}</span></h2>
<p class="user">${escapeHtml(turn.message)}</p>
${turn.items.map((item) => (item.kind === "call" ? toolHtml(item) : lineHtml(item))).join("\n")}
</section>`;
}

function lineHtml({ kind, text }: LineView): string {
  return `<p class="${kind}">${escapeHtml(text)}</p>`;
}

function toolHtml(tool: ToolCallView): string {
  const { status } = (isObject(tool.result) ? tool.result : {}) as { status?: JsonValue };
  const facts = [
    ...(typeof status === "string" ? [status] : []),
    ...(tool.durationMs === undefined ? ["no result"] : [`${Math.round(tool.durationMs)} ms`]),
    ...(tool.calls.length === 0 ? [] : [`${tool.calls.length} nested calls`]),
    ...(tool.cellId === undefined ? [] : [`cell ${tool.cellId}`]),
  ];
  // a call may outlast the exec that began it
  const wholeMs = tool.calls.reduce((most, call) => Math.max(most, endOf(call) - tool.startedAt), tool.durationMs ?? 1);
  return `<div class="call" id="${escapeHtml(`call-${tool.id}`)}">
<strong>${escapeHtml(tool.name)}</strong> <span class="quiet">${escapeHtml(facts.join(" · "))}</span>
${tool.code === undefined ? fold("input", tool.input) : sourceHtml(tool)}
${tool.calls.map((call) => nestedHtml(call, tool.startedAt, wholeMs)).join("\n")}
${fold("result", tool.result)}
</div>`;
}

function sourceHtml({ code = "", language = "" }: ToolCallView): string {
  return `<details open><summary>${escapeHtml(language)}</summary><pre><code>${escapeHtml(code)}</code></pre></details>`;
}

function nestedHtml(call: NestedCallView, parentAt: number, wholeMs: number): string {
  const ok = (isObject(call.outcome) ? call.outcome : {}).ok === true;
  const state = call.outcome === undefined ? "no outcome" : ok ? `${Math.round(call.durationMs ?? 0)} ms` : "failed";
  return `<div class="nested">
<details><summary>${escapeHtml(call.toolId)} <span class="quiet">${escapeHtml(state)}</span></summary>
${fold("input", call.input)}
${call.notes.length === 0 ? "" : `<pre>${escapeHtml(call.notes.join("\n"))}</pre>`}
${fold("outcome", call.outcome)}
</details>
${barHtml({ from: call.startedAt - parentAt, to: endOf(call) - parentAt, wholeMs, ok })}
</div>`;
}

type Bar = { readonly from: number; readonly to: number; readonly wholeMs: number; readonly ok: boolean };

/** Where in the time of its parent a call ran, in hundredths. */
function barHtml({ from, to, wholeMs, ok }: Bar): string {
  const left = clamp((from / wholeMs) * 100);
  const width = Math.max(0.5, clamp((to / wholeMs) * 100) - left);
  const [x, wide] = [left.toFixed(2), width.toFixed(2)];
  return `<svg viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label="ran from ${x}% for ${wide}% of its parent's time"><rect x="${x}" y="1" width="${wide}" height="6"${ok ? "" : ' class="failed"'}/></svg>`;
}

function endOf({ startedAt, durationMs = 0 }: NestedCallView): number {
  return startedAt + durationMs;
}

function clamp(percent: number): number {
  return Number.isFinite(percent) ? Math.min(100, Math.max(0, percent)) : 0;
}

function fold(name: string, value: JsonValue | undefined): string {
  if (value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
  return `<details><summary>${name}</summary><pre>${escapeHtml(text)}</pre></details>`;
}

function isObject(value: unknown): value is { readonly [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
