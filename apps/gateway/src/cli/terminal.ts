import pc from "picocolors";

/** Taken before a plugin can print: data goes this way whatever `process.stdout.write` has become. */
const writeData = process.stdout.write.bind(process.stdout);

/** Data of a command: stdout, nothing else may go there. Resolves when the pipe took it. */
export function printData(text: string): Promise<void> {
  return new Promise((resolve) => writeData(`${text}\n`, () => resolve()));
}

/** From now on whatever else prints to stdout (plugins, their libraries) goes to stderr; returns how to undo it. */
export function reserveStdout(): () => void {
  const { write } = process.stdout;
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof write;
  return () => {
    process.stdout.write = write;
  };
}

/** Text of a program or server as a terminal may show it: control and direction characters are spelled out. */
export function showText(text: string): string {
  return text.replace(hiddenCharacters, (character) =>
    character === "\n" || character === "\t" ? character : `\\u{${character.charCodeAt(0).toString(16)}}`,
  );
}

/** The same for what must stay on one line: names, notes, first sentences. */
export function showLine(text: string): string {
  return showText(text).replace(/\s*\n\s*|\t/g, " ");
}

const hiddenCharacters = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Everything that is not data: stderr. */
export function printNote(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** A line that a plugin or the stderr of an MCP server wrote. */
export function printLog(source: string, message: string): void {
  printNote(`[${showLine(source)}] ${showText(message)}`);
}

/** Colours for a stream: none unless it is a terminal and `NO_COLOR` is unset. */
export function colorsFor(stream: { readonly isTTY?: boolean }): ReturnType<typeof pc.createColors> {
  return pc.createColors(stream.isTTY === true && !process.env.NO_COLOR);
}
