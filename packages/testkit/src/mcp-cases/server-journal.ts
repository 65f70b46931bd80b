import { existsSync, readFileSync } from "node:fs";
import type { JsonObject, JsonValue } from "@code-mode/contract";
import type { ToolCall } from "../case-types.ts";

/** One line that the fixture server wrote, with its wall clock. */
export type JournalEntry = { readonly at: number } & (
  | { readonly kind: "spawned"; readonly pid: number }
  | { readonly kind: "heard"; readonly method: string; readonly id?: number | string; readonly params: JsonObject }
  | { readonly kind: "call"; readonly tool: string; readonly input: JsonValue }
);

/** What one fixture server went through, all its lives together. */
export class ServerJournal {
  readonly #file: string;
  #taken = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** Everything so far; a line that is still being written is left for later. */
  get entries(): readonly JournalEntry[] {
    if (!existsSync(this.#file)) return [];
    const lines = readFileSync(this.#file, "utf8").split("\n").slice(0, -1);
    return lines.map((line) => JSON.parse(line) as JournalEntry);
  }

  /** The calls since the last time. */
  takeCalls(): readonly ToolCall[] {
    const entries = this.entries;
    const fresh = entries.slice(this.#taken).filter((entry) => entry.kind === "call");
    this.#taken = entries.length;
    return fresh.map(({ tool, input }) => ({ tool, input }));
  }

  /** How often the process was started. */
  get spawns(): number {
    return this.entries.filter(({ kind }) => kind === "spawned").length;
  }

  /** The messages that the server heard. */
  get heard(): readonly Extract<JournalEntry, { readonly kind: "heard" }>[] {
    return this.entries.filter((entry) => entry.kind === "heard");
  }
}
