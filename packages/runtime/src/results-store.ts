import { randomBytes } from "node:crypto";
import { CodeModeError, fixedLimits, type JsonValue, type ResultReference } from "@code-mode/contract";

/** Characters of a saved value shown in its reference. */
const previewLength = 200;

type Saved = { readonly json: string; readonly bytes: number };

/** Values that programs keep on the host for later cells of the same agent run or session (GUEST-8). */
export class ResultsStore {
  readonly #entries = new Map<string, Saved>();
  #bytes = 0;

  /** @throws CodeModeError `tool_error` when entries or bytes are used up */
  save(json: string): ResultReference {
    const bytes = Buffer.byteLength(json);
    if (this.#entries.size >= fixedLimits.maxResultEntries || this.#bytes + bytes > fixedLimits.maxResultBytes)
      throw new CodeModeError(
        "tool_error",
        `results hold at most ${fixedLimits.maxResultEntries} values and ${fixedLimits.maxResultBytes} bytes (now ${this.#entries.size} values, ${this.#bytes} bytes; this one is ${bytes} bytes). Delete one with results.delete(id).`,
      );
    const id = `r_${randomBytes(9).toString("base64url")}`;
    this.#entries.set(id, { json, bytes });
    this.#bytes += bytes;
    return describe(id, json, bytes);
  }

  /** JSON text of a saved value. */
  load(id: string): string {
    const saved = this.#entries.get(id);
    if (saved === undefined)
      throw new CodeModeError(
        "tool_error",
        `no saved result "${id.slice(0, 64)}". Saved: ${[...this.#entries.keys()].slice(0, 8).join(", ") || "none"}. Results end with their agent run.`,
      );
    return saved.json;
  }

  delete(id: string): boolean {
    const saved = this.#entries.get(id);
    if (saved === undefined) return false;
    this.#entries.delete(id);
    this.#bytes -= saved.bytes;
    return true;
  }
}

function describe(id: string, json: string, bytes: number): ResultReference {
  const value = JSON.parse(json) as JsonValue;
  const count = Array.isArray(value) ? value.length : undefined;
  return {
    id,
    bytes,
    ...(count === undefined ? {} : { count }),
    shape: shapeOf(value, 2),
    preview: json.slice(0, previewLength).toWellFormed(),
  };
}

/** A type-like sketch of a value: `{id: number, tags: string[]}`. */
function shapeOf(value: JsonValue, depth: number): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `${shapeOf(value[0] as JsonValue, depth - 1)}[]`;
  if (typeof value !== "object") return typeof value;
  if (depth <= 0) return "object";
  const fields = Object.entries(value);
  const shown = fields.slice(0, 8).map(([key, field]) => `${key}: ${shapeOf(field as JsonValue, depth - 1)}`);
  return `{${shown.join(", ")}${fields.length > 8 ? ", …" : ""}}`;
}
