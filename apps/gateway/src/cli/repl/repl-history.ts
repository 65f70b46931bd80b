import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf } from "@code-mode/contract";

/** Lines that are kept; older ones go. */
export const maxHistoryLines = 1000;

/** Lines typed earlier, in a file that only its owner can read. */
export class ReplHistory {
  readonly #file: string;
  readonly #warn: (message: string) => void;

  constructor(file: string, warn: (message: string) => void) {
    this.#file = file;
    this.#warn = warn;
  }

  /** Newest first, as readline wants them; none before the first use. */
  load(): string[] {
    try {
      return readFileSync(this.#file, "utf8").split("\n").filter(Boolean).reverse().slice(0, maxHistoryLines);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") this.#complain(error);
      return [];
    }
  }

  /** @param lines newest first */
  save(lines: readonly string[]): void {
    try {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      const text = lines.slice(0, maxHistoryLines).reverse().join("\n");
      writeFileSync(this.#file, `${text}\n`, { mode: 0o600 });
    } catch (error) {
      this.#complain(error);
    }
  }

  /** History is a convenience: without it everything works. */
  #complain(error: unknown): void {
    this.#warn(`warning: ${this.#file}: the history cannot be kept (${messageOf(error)}).`);
  }
}
