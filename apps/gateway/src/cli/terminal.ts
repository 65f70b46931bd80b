import pc from "picocolors";

/** Data of a command: stdout, nothing else may go there. Resolves when the pipe took it. */
export function printData(text: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(`${text}\n`, () => resolve()));
}

/** Everything that is not data: stderr. */
export function printNote(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Colours for a stream: none unless it is a terminal and `NO_COLOR` is unset. */
export function colorsFor(stream: { readonly isTTY?: boolean }): ReturnType<typeof pc.createColors> {
  return pc.createColors(stream.isTTY === true && !process.env.NO_COLOR);
}
