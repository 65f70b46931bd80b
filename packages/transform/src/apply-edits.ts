import type { OffsetMap } from "./offset-map.ts";

/** Replaces `[start, end)` of a text. Positions in the new text map to `anchor` (default: `start`). */
export type Edit = { readonly start: number; readonly end: number; readonly text: string; readonly anchor?: number };

/** The edited text and the map back. Edits must not overlap; their order does not matter. */
export function applyEdits(source: string, edits: readonly Edit[]): { readonly text: string; readonly map: OffsetMap } {
  const map: (readonly [number, number])[] = [];
  const add = (generated: number, offset: number): void => {
    if (map.at(-1)?.[0] === generated) map.pop();
    map.push([generated, offset]);
  };
  let text = "";
  let done = 0;
  add(0, 0);
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    text += source.slice(done, edit.start);
    add(text.length, edit.anchor ?? edit.start);
    text += edit.text;
    add(text.length, edit.end);
    done = edit.end;
  }
  return { text: text + source.slice(done), map };
}

/** Spaces of the same length that keep line breaks; `lead` replaces the first characters. */
export function blank(text: string, lead = ""): string {
  return lead + text.slice(lead.length).replace(/[^\r\n]/g, " ");
}
