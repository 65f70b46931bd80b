import { didYouMean } from "@code-mode/contract";

/** A line that begins with a dot. */
export type ReplCommand = { readonly name: string; readonly args: readonly string[] };

/** What there is, with its help. */
export const replCommands: Readonly<Record<string, string>> = {
  ".tools": ".tools [QUERY]          list the tools, or search them",
  ".describe": ".describe NAME          show one tool with its schemas (an id, a name or an expression)",
  ".save": ".save FILE [ID]         write the last result, or the one kept as ID, as JSON",
  ".load": ".load FILE              keep the JSON of a file for results.load(id)",
  ".help": ".help                   show this",
  ".exit": ".exit                   leave",
};

const notes = [
  "Anything else is a program. It goes on over several lines until it parses.",
  "Each program starts afresh; keep values for later ones with results.save(value).",
];

/** Text of `.help`. */
export function replHelp(): string {
  return [...Object.values(replCommands), ...notes].join("\n");
}

/** The command in a line, if it is one; `results` after `.save` and `.load` may be said or not. */
export function parseReplCommand(line: string): ReplCommand | undefined {
  const [name = "", ...rest] = line.trim().split(/\s+/);
  if (!/^\.[a-z]*$/.test(name)) return undefined;
  return { name, args: rest[0] === "results" && rest.length > 1 ? rest.slice(1) : rest };
}

/** What to say about a command that is not there. */
export function unknownCommand(name: string): string {
  return `there is no ${name}.${didYouMean(name, Object.keys(replCommands))} .help shows all.`;
}
