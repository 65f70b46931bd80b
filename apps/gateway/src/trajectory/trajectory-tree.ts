import type { JsonValue } from "@code-mode/contract";
import type { SessionEvent } from "../store/transcript-store.ts";

/** A nested call with what became of it. */
export type NestedCallView = {
  readonly id: string;
  readonly toolId: string;
  readonly input: JsonValue;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  durationMs?: number;
  outcome?: JsonValue;
  readonly notes: string[];
};

/** A tool call of the model; for `exec` and `wait` with the calls below it. */
export type ToolCallView = {
  readonly kind: "call";
  readonly id: string;
  readonly name: string;
  readonly startedAt: number;
  input?: JsonValue;
  result?: JsonValue;
  durationMs?: number;
  language?: string;
  code?: string;
  cellId?: string;
  readonly calls: NestedCallView[];
};

/** A line of text in a turn: what the model said, or what happened. */
export type LineView = { readonly kind: "text" | "model" | "note" | "fault"; readonly text: string };

/** One turn, in order. */
export type TurnView = {
  readonly agentId: string;
  readonly message: string;
  readonly at: string;
  status: string;
  durationMs?: number;
  readonly items: (ToolCallView | LineView)[];
};

/** Puts the events of a session in the order of reading: turns, their tool calls, nested calls under these (TRJ-2). */
export function buildTrajectoryTree(events: readonly SessionEvent[]): readonly TurnView[] {
  const builder = new TreeBuilder();
  for (const event of events) builder.add(event);
  return builder.turns;
}

type Fields = { readonly [key: string]: JsonValue };

class TreeBuilder {
  readonly turns: TurnView[] = [];
  readonly #tools = new Map<JsonValue | undefined, ToolCallView>();
  readonly #calls = new Map<JsonValue | undefined, NestedCallView>();

  add(event: SessionEvent): void {
    const { type } = event;
    if (type === "turn_started") this.#startTurn(event);
    else if (type === "tool_call" || type === "tool_result") this.#addTool(event);
    else if (type.startsWith("cell_")) this.#addCell(event);
    else if (type.startsWith("call_")) this.#addCall(event);
    else this.#addLine(event);
  }

  get #items(): TurnView["items"] {
    const turn = this.turns.at(-1);
    if (turn !== undefined) return turn.items;
    const first: TurnView = { agentId: "", message: "", at: "", status: "", items: [] };
    this.turns.push(first);
    return first.items;
  }

  #startTurn({ agentId, message, at }: SessionEvent): void {
    this.turns.push({ agentId: textOf(agentId), message: textOf(message), at, status: "running", items: [] });
  }

  #addTool(event: SessionEvent): void {
    const tool = this.#toolOf(event.toolCallId, textOf(event.name), event);
    if (event.type === "tool_call") tool.input = event.input ?? null;
    else {
      tool.result = event.result ?? null;
      tool.durationMs = numberOf(event.durationMs);
    }
  }

  #addCell(event: SessionEvent): void {
    if (event.type === "cell_lost") {
      this.#items.push({ kind: "fault", text: `${textOf(event.was)} cell ${textOf(event.cellId)} is lost` });
      return;
    }
    const tool = this.#toolOf(event.id, event.type === "cell_resumed" ? "wait" : "exec", event);
    tool.cellId = textOf(event.cellId);
    if (event.type === "cell_started") {
      tool.code = textOf(event.code);
      tool.language = textOf(event.language);
    }
    if (event.type !== "cell_result") return;
    tool.result ??= event.result ?? null;
    tool.durationMs ??= numberOf(event.durationMs);
  }

  #addCall(event: SessionEvent): void {
    const { id, type } = event;
    if (type === "call_started") {
      const call: NestedCallView = {
        id: textOf(id),
        toolId: textOf(event.toolId),
        input: event.input ?? null,
        startedAt: Date.parse(event.at),
        notes: [],
      };
      this.#calls.set(id, call);
      this.#toolOf(event.parentId, "exec", event).calls.push(call);
      return;
    }
    const call = this.#calls.get(id);
    if (call === undefined) return;
    if (type === "call_progress") call.notes.push(noteOf((event.update ?? {}) as Fields));
    if (type !== "call_ended") return;
    call.durationMs = numberOf(event.durationMs);
    call.outcome = event.outcome ?? null;
  }

  #addLine(event: SessionEvent): void {
    const turn = this.turns.at(-1);
    if (event.type === "turn_ended" && turn !== undefined) {
      turn.status = textOf(event.status);
      turn.durationMs = numberOf(event.durationMs);
      if (event.status !== "completed") this.#items.push({ kind: "fault", text: textOf(event.text) });
      return;
    }
    if (event.type === "turn_interrupted" && turn !== undefined) turn.status = "interrupted";
    this.#items.push(lineOf(event));
  }

  #toolOf(id: JsonValue | undefined, name: string, { at }: SessionEvent): ToolCallView {
    const known = this.#tools.get(id);
    if (known !== undefined) return known;
    const tool: ToolCallView = { kind: "call", id: textOf(id), name, startedAt: Date.parse(at), calls: [] };
    this.#tools.set(id, tool);
    this.#items.push(tool);
    return tool;
  }
}

function lineOf(event: SessionEvent): LineView {
  switch (event.type) {
    case "text":
      return { kind: "text", text: textOf(event.text) };
    case "message":
      return { kind: "text", text: textOf(event.text) };
    case "model_request":
      return { kind: "model", text: `request ${numberOf(event.step)} to ${textOf(event.model) || "the model"}` };
    case "model_response": {
      const { inputTokens, outputTokens } = (event.usage ?? {}) as Fields;
      const tokens = `${numberOf(inputTokens)} tokens in, ${numberOf(outputTokens)} out`;
      return { kind: "model", text: `answer in ${numberOf(event.ms)} ms: ${textOf(event.finishReason)}, ${tokens}` };
    }
    default: {
      const { type, seq: _seq, at: _at, agentRunId: _run, ...rest } = event;
      return { kind: /denied|interrupted/.test(type) ? "fault" : "note", text: `${type} ${JSON.stringify(rest)}` };
    }
  }
}

function noteOf({ type, message, approvalId }: Fields): string {
  return [type, message, approvalId].filter((part) => typeof part === "string" && part !== "").join(" ");
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function numberOf(value: JsonValue | undefined): number {
  return typeof value === "number" ? value : 0;
}
