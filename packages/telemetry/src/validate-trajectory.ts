import { messageOf } from "@code-mode/contract";
import { trajectoryEvent } from "./trajectory-events.ts";

/** More faults than anybody reads; a file of another kind has one on every line. */
const maxFaults = 100;

/**
 * Checks the JSON lines of one session's trajectory: each against the schema, and all together – numbers without gap,
 * nested calls under an exec or wait call that was there, results of calls that were made, waits of suspended cells,
 * one turn at a time. Gives the faults by line, at most a hundred; none means valid.
 */
export function validateTrajectory(lines: Iterable<string>): readonly string[] {
  const checker = new TrajectoryChecker();
  let number = 0;
  for (const line of lines) {
    number += 1;
    if (line.trim() === "") continue;
    checker.check(line, number);
    if (checker.faults.length >= maxFaults) break;
  }
  return checker.faults.slice(0, maxFaults);
}

type Event = { readonly seq: number; readonly type: string; readonly [key: string]: unknown };

class TrajectoryChecker {
  readonly faults: string[] = [];
  #line = 0;
  #next = 0;
  #turn: unknown;
  readonly #controls = new Set<unknown>();
  readonly #toolCalls = new Set<unknown>();
  readonly #nested = new Set<unknown>();
  readonly #approvals = new Set<unknown>();
  /** Cells by whether they are suspended. */
  readonly #cells = new Map<unknown, boolean>();

  check(line: string, number: number): void {
    this.#line = number;
    const event = this.#parse(line);
    if (event === undefined) return;
    this.#assert(event.seq === this.#next, `seq is ${event.seq}, expected ${this.#next}`);
    this.#next = event.seq + 1;
    this.#checkTurn(event);
    this.#checkCell(event);
    this.#checkApproval(event);
  }

  #parse(line: string): Event | undefined {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      this.#fault(`no JSON (${messageOf(error)})`);
      return undefined;
    }
    const parsed = trajectoryEvent.safeParse(value);
    if (parsed.success) return parsed.data as Event;
    for (const { path, message } of parsed.error.issues) this.#fault(`${path.join(".") || "the line"}: ${message}`);
    return undefined;
  }

  #checkTurn({ type, agentRunId, toolCallId }: Event): void {
    switch (type) {
      case "turn_started":
        this.#assert(this.#turn === undefined, "a turn starts inside of another one");
        this.#turn = agentRunId;
        break;
      case "turn_ended":
      case "turn_interrupted":
        this.#assert(this.#turn === agentRunId, "a turn ends that is not under way");
        this.#turn = undefined;
        this.#cells.clear();
        break;
      case "tool_call":
        this.#assert(this.#turn === agentRunId, "a tool call outside of its turn");
        this.#toolCalls.add(toolCallId);
        break;
      case "tool_result":
        this.#assert(this.#toolCalls.delete(toolCallId), "a result of a tool call that was not made");
        break;
    }
  }

  #checkCell({ type, id, parentId, cellId, result }: Event): void {
    switch (type) {
      case "cell_started":
        this.#controls.add(id);
        this.#cells.set(cellId, false);
        break;
      case "cell_resumed":
        this.#controls.add(id);
        this.#assert(this.#cells.get(cellId) === true, "a wait on a cell that is not suspended");
        this.#cells.set(cellId, false);
        break;
      case "cell_result":
        this.#assert(this.#controls.has(id), "a result of an exec or wait call that was not made");
        this.#cells.set(cellId, (result as { status: string }).status === "waiting");
        break;
      case "cell_lost":
        this.#assert(this.#cells.delete(cellId), "a cell is lost that was not there");
        break;
      case "call_started":
        this.#assert(this.#controls.has(parentId), "a nested call without the exec or wait call it belongs to");
        this.#nested.add(id);
        break;
      case "call_progress":
        this.#assert(this.#nested.has(id), "progress of a nested call that did not start");
        break;
      case "call_ended":
        this.#assert(this.#nested.delete(id), "the end of a nested call that did not start");
        break;
    }
  }

  #checkApproval({ type, approvalId }: Event): void {
    if (type === "approval_requested") this.#approvals.add(approvalId);
    if (type === "approval_decided" || type === "approval_closed")
      this.#assert(this.#approvals.delete(approvalId), "a decision about an approval that was not requested");
  }

  #assert(condition: boolean, fault: string): void {
    if (!condition) this.#fault(fault);
  }

  #fault(text: string): void {
    this.faults.push(`line ${this.#line}: ${text}`);
  }
}
