import { cutOutputItem, jsonBytes, jsonDepth, type OutputUse } from "@code-mode/bridge";
import { type CodeModeOutput, fixedLimits, type JsonValue } from "@code-mode/contract";

/** Bytes around the value of a JSON item. */
const jsonFrameBytes = '{"type":"json","value":}'.length;

/** The output of one cell as the thread forwards it: never more than the budget, the rest is only counted. */
export class CellOutput {
  readonly #maxBytes: number;
  #items: CodeModeOutput[] = [];
  #usedBytes: number;
  #omittedBytes: number;

  constructor(maxBytes: number, use: OutputUse) {
    this.#maxBytes = maxBytes;
    this.#usedBytes = use.usedBytes;
    this.#omittedBytes = use.omittedBytes;
  }

  get use(): OutputUse {
    return { usedBytes: this.#usedBytes, omittedBytes: this.#omittedBytes };
  }

  text(text: string): void {
    const item: CodeModeOutput = { type: "text", text: text.toWellFormed() };
    this.#add(item, jsonBytes(item));
  }

  json(text: string): void {
    // Parsing on the thread follows guest data: a text over the budget is cut as text, never parsed.
    const bytes = Buffer.byteLength(text) + jsonFrameBytes;
    // A deeper value would overflow whoever copies or walks it on the host.
    const asText = bytes > this.#maxBytes || jsonDepth(text) > fixedLimits.maxValueDepth;
    if (asText) this.text(text);
    else this.#add({ type: "json", value: JSON.parse(text) as JsonValue }, bytes);
  }

  /** The items since the last call. */
  take(): CodeModeOutput[] {
    const items = this.#items;
    this.#items = [];
    return items;
  }

  #add(item: CodeModeOutput, bytes: number): void {
    const left = this.#maxBytes - this.#usedBytes;
    if (this.#omittedBytes > 0 || left <= 0) {
      this.#omittedBytes += bytes;
      return;
    }
    if (bytes <= left) {
      this.#items.push(item);
      this.#usedBytes += bytes;
      return;
    }
    this.#cut(item, bytes, left);
  }

  #cut(item: CodeModeOutput, bytes: number, left: number): void {
    const part = cutOutputItem(item, left);
    if (part === undefined) {
      this.#omittedBytes += bytes;
      return;
    }
    this.#items.push(part);
    const kept = jsonBytes(part);
    this.#usedBytes += kept;
    this.#omittedBytes += Math.max(1, bytes - kept);
  }
}
