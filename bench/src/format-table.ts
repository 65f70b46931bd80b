import type { BenchRow } from "./harness/bench-context.ts";

const heads = ["id", "what", "ours", "run", "ratio", "must", ""];

/** The rows as a Markdown table whose columns are aligned, so that it reads as plain text as well. */
export function formatTable(rows: readonly BenchRow[]): string {
  const cells = rows.map((row) => [row.id, row.what, row.ours, row.run, row.ratio, row.must, row.verdict]);
  const widths = heads.map((head, column) =>
    Math.max(3, head.length, ...cells.map((line) => (line[column] as string).length)),
  );
  const line = (texts: readonly string[]): string =>
    `| ${texts.map((text, column) => text.padEnd(widths[column] as number)).join(" | ")} |`;
  return [line(heads), line(widths.map((width) => "-".repeat(width))), ...cells.map(line)].join("\n");
}

/** The remarks of rows that have one. */
export function formatNotes(rows: readonly BenchRow[]): string {
  return rows
    .filter(({ note }) => note !== undefined)
    .map(({ id, note }) => `- ${id}: ${note}`)
    .join("\n");
}
