import type { CodeModeTool } from "@code-mode/contract";

/** A place in a line: `turn` resolves when everyone before has left; `leave` may be called at any time, even twice. */
export type Place = { readonly turn: Promise<void>; leave(): void };

/** One line per sequential tool and cell: its calls run one after another. */
export class SequentialLines {
  readonly #tails = new WeakMap<CodeModeTool, Map<string, Promise<void>>>();

  /** Takes the last place in the line of this tool in this cell. */
  enter(tool: CodeModeTool, cellId: string): Place {
    const tails = this.#tailsOf(tool);
    const turn = tails.get(cellId) ?? Promise.resolve();
    const left = Promise.withResolvers<void>();
    // Someone who gives up while waiting must not let the next one overtake those still in front.
    const tail = turn.then(() => left.promise);
    tails.set(cellId, tail);
    void tail.then(() => {
      if (tails.get(cellId) === tail) tails.delete(cellId);
    });
    return { turn, leave: left.resolve };
  }

  #tailsOf(tool: CodeModeTool): Map<string, Promise<void>> {
    const known = this.#tails.get(tool);
    if (known !== undefined) return known;
    const fresh = new Map<string, Promise<void>>();
    this.#tails.set(tool, fresh);
    return fresh;
  }
}
