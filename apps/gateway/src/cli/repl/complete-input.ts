/** What can be completed. */
export type Completions = {
  /** Expressions that call a tool, such as `tools.read` and `MCP.files.readTextFile`. */
  readonly calls: readonly string[];
  /** Names that `.describe` takes beside those. */
  readonly ids: readonly string[];
  readonly commands: readonly string[];
};

const globals = [
  "tools.search",
  "tools.describe",
  "tools.call",
  "API.list",
  "API.read",
  "API.search",
  "results.save",
  "results.load",
  "results.delete",
  "yield_control",
  "ALL_TOOLS",
];

/** Completions of a line, as readline wants them: whole candidates, and the part that they replace. */
export function completeInput(line: string, { calls, ids, commands }: Completions): [string[], string] {
  if (/^\s*\.\w*$/.test(line)) return [startingWith(commands, line.trim()), line.trim()];
  const described = /^\s*\.describe\s+(\S*)$/.exec(line)?.[1];
  if (described !== undefined) return [startingWith([...calls, ...ids], described), described];
  const word = /[\w$][\w$.]*$/.exec(line)?.[0] ?? "";
  if (word === "") return [[], ""];
  return [nextSegments([...calls, ...globals], word), word];
}

function startingWith(candidates: readonly string[], prefix: string): string[] {
  return [...new Set(candidates)].filter((candidate) => candidate.startsWith(prefix)).sort();
}

/** Up to and with the next dot: with hundreds of tools the server comes first. */
function nextSegments(candidates: readonly string[], word: string): string[] {
  const upToDot = startingWith(candidates, word).map((candidate) => {
    const dot = candidate.indexOf(".", word.length);
    return dot < 0 ? candidate : candidate.slice(0, dot + 1);
  });
  return [...new Set(upToDot)];
}
