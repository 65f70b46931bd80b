import { cutOutputItem, jsonDepth, type OutputUse } from "@code-mode/bridge";
import { type CodeModeOutput, fixedLimits, type JsonValue } from "@code-mode/contract";
import type { OutputNotes } from "../unsent-output.ts";

/** What stands around the value of a JSON item. */
const jsonHead = '{"type":"json","value":';
const jsonFrameBytes = jsonHead.length + 1;

/** The output of one cell as the thread forwards it: never more than the budget, the rest is only counted. */
export class CellOutput {
  readonly #maxBytes: number;
  readonly #notes: OutputNotes;
  #items: CodeModeOutput[] = [];
  #usedBytes: number;
  #omittedBytes: number;

  constructor(maxBytes: number, use: OutputUse, notes: OutputNotes) {
    this.#maxBytes = maxBytes;
    this.#notes = notes;
    this.#usedBytes = use.usedBytes;
    this.#omittedBytes = use.omittedBytes;
  }

  get use(): OutputUse {
    return { usedBytes: this.#usedBytes, omittedBytes: this.#omittedBytes };
  }

  get omits(): boolean {
    return this.#omittedBytes > 0;
  }

  text(text: string): void {
    const item: CodeModeOutput = { type: "text", text: text.toWellFormed() };
    this.#add(item, JSON.stringify(item));
  }

  json(text: string): void {
    // Parsing on the thread follows guest data: a text over the budget is cut as text, never parsed.
    const bytes = Buffer.byteLength(text) + jsonFrameBytes;
    // A deeper value would overflow whoever copies or walks it on the host.
    const asText = bytes > this.#maxBytes || jsonDepth(text) > fixedLimits.maxValueDepth;
    if (asText) this.text(text);
    else this.#add({ type: "json", value: JSON.parse(text) as JsonValue }, `${jsonHead}${text}}`);
  }

  /** A turn begins. */
  begin(turn: number): void {
    this.#notes.begin(turn, this.use);
  }

  /** The items since the last call. */
  take(): CodeModeOutput[] {
    const items = this.#items;
    this.#items = [];
    return items;
  }

  #add(item: CodeModeOutput, json: string): void {
    const bytes = Buffer.byteLength(json);
    const left = this.#maxBytes - this.#usedBytes;
    if (this.#omittedBytes > 0 || left <= 0) {
      this.#omittedBytes += bytes;
      return;
    }
    if (bytes <= left) {
      this.#items.push(item);
      this.#usedBytes += bytes;
      this.#notes.add(json, bytes, this.use);
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
    const json = JSON.stringify(part);
    const kept = Buffer.byteLength(json);
    this.#usedBytes += kept;
    this.#omittedBytes += Math.max(1, bytes - kept);
    this.#notes.add(json, kept, this.use);
  }
}
