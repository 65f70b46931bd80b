import { type BridgeCall, jsonDepth, parseCalls, toGuestError } from "@code-mode/bridge";
import { type CatalogTool, CodeModeError, fixedLimits, type JsonValue } from "@code-mode/contract";
import { answerHostCall } from "./answer-host-call.ts";
import { isToolCall } from "./call-table.ts";
import type { Cell } from "./cell.ts";

/** Searches and look-ups of one cell that may wait for an answer; ranking costs up to milliseconds each. */
const maxHostCalls = 256;

/** Longest stretch of host answers between two turns of the event loop. */
const sliceMs = 10;

/**
 * Starts the calls of one drain: tools through the call table, the rest answered at once.
 * @throws CodeModeError `internal_error` when the thread broke the protocol
 */
export function dispatchCalls(cell: Cell, callsJson: string): void {
  if (callsJson === "") return;
  const calls = parseCalls(callsJson, cell.nextSequence);
  cell.nextSequence += calls.length;
  // The list, the row and the payload's own nesting: only a deep payload is worth a second look.
  const deep = jsonDepth(callsJson) > fixedLimits.maxValueDepth;
  const hostCalls: BridgeCall[] = [];
  for (const call of calls) {
    if (deep && jsonDepth(JSON.stringify(call.payload)) > fixedLimits.maxValueDepth) refuseDepth(cell, call);
    else if (isToolCall(call)) dispatchTool(cell, call);
    else hostCalls.push(call);
  }
  if (hostCalls.length > 0) void answerInSlices(cell, hostCalls);
}

/** Searches rank thousands of tools: the host answers them in slices, so that a flood of them stops nobody else. */
async function answerInSlices(cell: Cell, calls: readonly BridgeCall[]): Promise<void> {
  const room = Math.max(0, maxHostCalls - cell.calls.hostCalls);
  for (const call of calls.slice(room)) refuseFlood(cell, call);
  cell.calls.hostCalls += Math.min(room, calls.length);
  let sliceEndsAt = performance.now() + sliceMs;
  for (const call of calls.slice(0, room)) {
    if (performance.now() > sliceEndsAt) {
      await new Promise((resolve) => setImmediate(resolve));
      sliceEndsAt = performance.now() + sliceMs;
    }
    const answer = cell.signal.aborted ? undefined : await answerHostCall(cell, call);
    cell.calls.hostCalls--;
    if (answer !== undefined && !cell.signal.aborted) cell.calls.reply(call.sequence, answer);
  }
}

function dispatchTool(cell: Cell, call: BridgeCall): void {
  try {
    const { tool, input } = resolve(cell, call);
    cell.counters.callCount++;
    cell.calls.add({
      sequence: call.sequence,
      callId: `${cell.id.slice(0, 8)}-${call.sequence}`,
      toolId: tool.entry.id,
      name: tool.entry.name,
      input,
      parentToolCallId: cell.toolCallId,
      mcp: tool.entry.source === "mcp",
    });
  } catch (error) {
    cell.calls.refuse(
      call.sequence,
      call.target,
      toGuestError(error, CodeModeError.is(error) && error.code === "tool_error" ? { code: "unknown_tool" } : {}),
    );
  }
}

function resolve(cell: Cell, call: BridgeCall): { tool: CatalogTool; input: JsonValue } {
  const input = call.payload as JsonValue;
  if (call.kind === "native") return { tool: cell.catalog.resolveNative(call.target), input };
  if (call.kind === "call") return { tool: byId(cell, call.target), input };
  if (cell.namespaces === undefined)
    throw new CodeModeError("tool_error", `no namespace "${call.target}" is visible in this run`);
  const { path, args } = input as { path: string; args: JsonValue[] };
  const mapped = cell.namespaces.resolveCall(call.target, path, args);
  return { tool: byId(cell, mapped.toolId), input: mapped.input };
}

function byId(cell: Cell, id: string): CatalogTool {
  const tool = cell.catalog.get(id);
  if (tool === undefined)
    throw new CodeModeError("tool_error", `unknown tool "${id}". Find tools with await tools.search("…").`);
  return tool;
}

function refuseDepth(cell: Cell, call: BridgeCall): void {
  const message = `the tool input is nested more than ${fixedLimits.maxValueDepth} levels deep; flatten it`;
  cell.calls.refuse(
    call.sequence,
    call.target,
    toGuestError(new RangeError(message), { code: "tool_error", name: "Error" }),
  );
}

function refuseFlood(cell: Cell, call: BridgeCall): void {
  const message = `more than ${maxHostCalls} searches and look-ups are waiting in this program; await them in smaller batches`;
  const facts = { code: "too_many_pending_calls", name: "Error" };
  cell.calls.reply(call.sequence, { error: toGuestError(new RangeError(message), facts) });
}
