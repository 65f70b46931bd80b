import { CodeModeError } from "@code-mode/contract";
import { type BridgeCall, type BridgeCallKind, bridgeCallKinds } from "./messages.ts";

/** Longest target (tool id, path, query) a call may name. */
const maxTargetLength = 2048;

const kinds = new Set<string>(bridgeCallKinds);

/**
 * Parses the calls of one drain. Sequence numbers must rise without gap from `nextSequence`: a thread that repeats
 * or invents one is not running our prelude.
 * @throws CodeModeError `internal_error`; the cell must be ended
 */
export function parseCalls(json: string, nextSequence: number): BridgeCall[] {
  if (json === "") return [];
  const rows = parseRows(json);
  if (!Array.isArray(rows)) throw violation("not a list");
  return rows.map((row, index) => parseCall(row, nextSequence + index));
}

function parseRows(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw violation("no JSON");
  }
}

function parseCall(row: unknown, expected: number): BridgeCall {
  if (!Array.isArray(row) || row.length !== 4) throw violation("a call has four fields");
  const [sequence, kind, target, payload] = row as unknown[];
  if (sequence !== expected) throw violation(`a sequence number that is not ${expected}`);
  if (typeof kind !== "string" || !kinds.has(kind)) throw violation("unknown kind of call");
  if (typeof target !== "string") throw violation("a target is a string");
  return { sequence: expected, kind: kind as BridgeCallKind, target: target.slice(0, maxTargetLength), payload };
}

function violation(what: string): CodeModeError {
  return new CodeModeError(
    "internal_error",
    `the guest thread broke the bridge protocol: ${what}. The cell was ended.`,
  );
}
