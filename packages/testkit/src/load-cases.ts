import type { BugCase } from "./case-types.ts";

/** Names that the data uses and the product spells otherwise; they hold in programs and expectations alike. */
const spellings: readonly (readonly [RegExp, string])[] = [
  [/fixture:core:/g, "openclaw:core:"],
  [/\/health(?![\w-])/g, "/healthz"],
];

/** The cases of a JSON Lines text, in the product's spelling. */
export function parseCases(text: string): readonly BugCase[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => JSON.parse(respell(line)) as BugCase);
}

function respell(line: string): string {
  return spellings.reduce((spelled, [from, to]) => spelled.replace(from, to), line);
}
