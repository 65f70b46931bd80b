type Token = {
  readonly kind: "{" | "}" | "[" | "]" | ":" | "," | "value";
  readonly text: string;
  readonly offset: number;
};

const tokenPattern =
  /(?<blank>\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)|(?<punctuation>[{}[\]:,])|(?<string>"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*')|(?<word>[^\s{}[\]:,"'/]+)/gy;

/**
 * Line (from 1) of every key and list item of a JSON5 text that is known to parse.
 * Keys of the map are the paths as JSON lists of strings.
 */
export function locateJson5Keys(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  const lineAt = lineCounter(text);
  const path: { list: boolean; index: number; key: string }[] = [];
  let pendingKey: Token | undefined;
  for (const token of tokenize(text)) {
    const frame = path.at(-1);
    if (token.kind === "value" && frame && !frame.list) pendingKey ??= token;
    else if (token.kind === ":" && frame && pendingKey) frame.key = nameOf(pendingKey.text);
    else if (frame?.list && token.kind !== "," && token.kind !== "]") frame.key = String(frame.index);
    if (frame && (token.kind === ":" || (frame.list && token.kind !== "," && token.kind !== "]"))) {
      const at = JSON.stringify(path.map(({ key }) => key));
      if (!lines.has(at)) lines.set(at, lineAt(token.kind === ":" ? (pendingKey ?? token).offset : token.offset));
    }
    if (token.kind === "{" || token.kind === "[") {
      path.push({ list: token.kind === "[", index: 0, key: "" });
      pendingKey = undefined;
    } else if (token.kind === "}" || token.kind === "]") path.pop();
    else if (token.kind === "," && frame) {
      frame.index++;
      pendingKey = undefined;
    }
  }
  return lines;
}

function* tokenize(text: string): Generator<Token> {
  for (const match of text.matchAll(tokenPattern)) {
    const { punctuation, string, word } = match.groups as Record<string, string | undefined>;
    if (punctuation !== undefined) yield { kind: punctuation as Token["kind"], text: punctuation, offset: match.index };
    else if (string !== undefined || word !== undefined)
      yield { kind: "value", text: (string ?? word) as string, offset: match.index };
  }
}

function nameOf(key: string): string {
  return /^["']/.test(key) ? key.slice(1, -1).replaceAll(/\\(.)/g, "$1") : key;
}

/** Offsets must come in ascending order, which they do: one pass over the text. */
function lineCounter(text: string): (offset: number) => number {
  let [line, seen] = [1, 0];
  return (offset) => {
    for (; seen < offset; seen++) if (text.charCodeAt(seen) === 10) line++;
    return line;
  };
}
