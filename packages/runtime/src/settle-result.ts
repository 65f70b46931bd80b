import { cutOutputItem, cutToJsonBytes, jsonBytes, jsonDepth } from "@code-mode/bridge";
import {
  type CodeModeFailedResult,
  type CodeModeOutput,
  type CodeModeResult,
  type CodeModeTelemetry,
  fixedLimits,
  type JsonObject,
  type JsonValue,
  type ResultReference,
} from "@code-mode/contract";
import type { Cell } from "./cell.ts";
import type { CellEnd } from "./cell-end.ts";
import { describeEnd, type Failure } from "./describe-end.ts";

/** Names the model sees in this run, for telemetry. */
export type ResultContext = { readonly visibleTools: readonly string[]; readonly snapshotBytes?: number };

/** The terminal result of a cell. */
export function settleResult(
  cell: Cell,
  end: Exclude<CellEnd, { kind: "suspend" }>,
  context: ResultContext,
): CodeModeResult {
  if (end.kind !== "done") return failedResult(cell, describeEnd(cell, end), context);
  const json = end.valueJson;
  if (json !== undefined && jsonDepth(json) > fixedLimits.maxValueDepth) {
    const error = `the value is nested more than ${fixedLimits.maxValueDepth} levels deep; flatten it`;
    return failedResult(cell, { code: "guest_error", error }, context);
  }
  const output = cell.takeOutput();
  const budget = cell.config.maxOutputBytes;
  const fits =
    json !== undefined && cell.outputUse.omittedBytes === 0 && cell.outputUse.usedBytes + end.valueBytes <= budget;
  if (fits) return { status: "completed", value: JSON.parse(json) as JsonValue, ...base(cell, output, context) };
  return overflowResult(cell, { json, valueBytes: end.valueBytes, output }, context);
}

/** A failed result that carries the output so far. */
export function failedResult(cell: Cell, failure: Failure, context: ResultContext): CodeModeFailedResult {
  const { omittedBytes } = cell.outputUse;
  return {
    status: "failed",
    error: failure.error,
    code: failure.code,
    ...(failure.position === undefined ? {} : { position: failure.position }),
    ...withLedger(cell, failure),
    ...(omittedBytes > 0 ? { truncated: true as const, omittedBytes } : {}),
    ...base(cell, cell.takeOutput(), context),
  };
}

/** Common part of every result. */
export function base(
  cell: Cell,
  output: CodeModeOutput[],
  context: ResultContext,
): { output?: CodeModeOutput[]; hint?: string; telemetry: CodeModeTelemetry } {
  const hint = cell.hints.join(" ");
  cell.hints = [];
  return {
    ...(output.length === 0 ? {} : { output }),
    ...(hint === "" ? {} : { hint }),
    telemetry: telemetry(cell, context),
  };
}

function telemetry(cell: Cell, context: ResultContext): CodeModeTelemetry {
  const { sources } = cell.catalog;
  return {
    catalogSize: sources.openclaw + sources.mcp + sources.client,
    sources: { ...sources },
    ...cell.counters,
    visibleTools: [...context.visibleTools],
    calls: cell.calls.counts,
    ...(context.snapshotBytes === undefined ? {} : { snapshotBytes: context.snapshotBytes }),
  };
}

/** What ran, when the cell did not end by itself: the model must know which side effects happened. */
function withLedger(cell: Cell, failure: Failure): { details?: JsonObject } {
  const { ledger } = cell.calls;
  const details: JsonObject = {
    ...failure.details,
    ...(ledger.length === 0 ? {} : { calls: ledger.map((line) => ({ ...line })) }),
  };
  return Object.keys(details).length === 0 ? {} : { details };
}

type Overflow = { readonly json: string | undefined; readonly valueBytes: number; readonly output: CodeModeOutput[] };

function overflowResult(cell: Cell, overflow: Overflow, context: ResultContext): CodeModeResult {
  if (cell.prepared?.implicitValue === true && cell.outputUse.omittedBytes === 0)
    return withoutImplicitValue(cell, overflow, context);
  const cut =
    cell.config.outputOverflow === "truncate" ? cutValueFirst(cell, overflow) : cutOutputFirst(cell, overflow);
  // Kept is what the result does not show: a value that is there whole, or none at all, needs no reference.
  const reference = cut.hasWholeValue || overflow.json === "null" ? undefined : saveValue(cell, overflow.json);
  const facts = {
    truncated: true as const,
    omittedBytes: cut.omittedBytes,
    ...(reference === undefined ? {} : { reference }),
  };
  if (cell.config.outputOverflow === "truncate")
    return { status: "completed", value: cut.value, ...facts, ...base(cell, cut.output, context) };
  const total = cell.outputUse.usedBytes + cell.outputUse.omittedBytes + overflow.valueBytes;
  return {
    status: "failed",
    code: "output_limit_exceeded",
    error: `output and value take ${total} bytes, at most ${cell.config.maxOutputBytes} are allowed (maxOutputBytes); ${cut.omittedBytes} bytes were omitted. ${remedy(reference, cell)}`,
    ...withLedger(cell, { code: "output_limit_exceeded", error: "" }),
    ...facts,
    ...base(cell, cut.output, context),
  };
}

function remedy(reference: ResultReference | undefined, cell: Cell): string {
  if (reference === undefined && cell.outputUse.omittedBytes > 0)
    return "Write less with text, json and console: select fields, slice lists, aggregate.";
  return reference === undefined
    ? "Return less: select fields, slice lists, aggregate."
    : `The whole value is kept: read parts of it with (await results.load("${reference.id}")) in the next program, and return less.`;
}

/** An implicit value that does not fit is dropped with a note: nobody asked for it (EXEC-5). */
function withoutImplicitValue(cell: Cell, { valueBytes, output }: Overflow, context: ResultContext): CodeModeResult {
  const note: CodeModeOutput = {
    type: "text",
    text: `[the value of the last expression, ${valueBytes} bytes, was dropped: it does not fit the output budget. Return a smaller value.]`,
  };
  const left = cell.config.maxOutputBytes - cell.outputUse.usedBytes - jsonBytes(null);
  const fitting = jsonBytes(note) <= left ? note : cutOutputItem(note, left);
  return {
    status: "completed",
    value: null,
    ...base(cell, fitting === undefined ? output : [...output, fitting], context),
  };
}

function saveValue(cell: Cell, json: string | undefined): ResultReference | undefined {
  if (json === undefined) return undefined;
  try {
    return cell.results.save(json);
  } catch {
    // No capacity: the result says how many bytes are gone, which is all that can be done.
    return undefined;
  }
}

type Cut = {
  readonly value: JsonValue;
  readonly hasWholeValue: boolean;
  readonly output: CodeModeOutput[];
  readonly omittedBytes: number;
};

/** `truncate`: the value first, then output in order. Output of earlier results has already been spent. */
function cutValueFirst(cell: Cell, { json, valueBytes, output }: Overflow): Cut {
  const spent = cell.outputUse.usedBytes - sum(output);
  const forValue = cell.config.maxOutputBytes - spent;
  const hasWholeValue = json !== undefined && valueBytes <= forValue;
  const value = hasWholeValue ? (JSON.parse(json) as JsonValue) : cutToJsonBytes(json ?? "", Math.max(2, forValue));
  const cut = cutItems(output, forValue - jsonBytes(value));
  const kept = jsonBytes(value) + sum(cut);
  const total = valueBytes + sum(output) + cell.outputUse.omittedBytes;
  return { value, hasWholeValue, output: cut, omittedBytes: Math.max(1, total - kept) };
}

/** `fail`: the output that fitted; the value is only kept as a reference. */
function cutOutputFirst(cell: Cell, { valueBytes, output }: Overflow): Cut {
  return {
    value: null,
    hasWholeValue: false,
    output,
    omittedBytes: Math.max(1, cell.outputUse.omittedBytes + valueBytes),
  };
}

function cutItems(items: readonly CodeModeOutput[], maxBytes: number): CodeModeOutput[] {
  const kept: CodeModeOutput[] = [];
  let left = maxBytes;
  for (const item of items) {
    const bytes = jsonBytes(item);
    const part = bytes <= left ? item : cutOutputItem(item, left);
    if (part !== undefined) kept.push(part);
    if (bytes > left) break;
    left -= bytes;
  }
  return kept;
}

function sum(items: readonly CodeModeOutput[]): number {
  return items.reduce((bytes, item) => bytes + jsonBytes(item), 0);
}
