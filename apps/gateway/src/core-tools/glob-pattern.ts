/** Longest pattern and most stars: matching costs at most their product with the length of a path. */
export const maxGlobLength = 500;
const maxAlternatives = 64;

/**
 * A file name pattern: `*` and `?` within a name, `**` over folders, `{a,b}` for alternatives. A pattern without `/`
 * is matched with the name alone, at any depth. Never backtracks exponentially, whatever the pattern.
 */
export class GlobPattern {
  readonly #alternatives: readonly (readonly string[])[];
  readonly #nameOnly: boolean;

  constructor(pattern: string) {
    this.#nameOnly = !pattern.includes("/");
    this.#alternatives = expandBraces(pattern.slice(0, maxGlobLength)).map((each) =>
      each.split("/").filter((segment) => segment !== "" && segment !== "."),
    );
  }

  /** @param path relative, with `/` */
  matches(path: string): boolean {
    const segments = path.split("/");
    const asked = this.#nameOnly ? segments.slice(-1) : segments;
    return this.#alternatives.some((alternative) => matchesSegments(alternative, asked));
  }
}

/** One row per pattern segment: which prefixes of the path are matched so far. */
function matchesSegments(pattern: readonly string[], path: readonly string[]): boolean {
  let reached = path.map(() => false);
  reached.unshift(true);
  for (const segment of pattern) {
    reached =
      segment === "**"
        ? reached.map((_, count) => reached.slice(0, count + 1).includes(true))
        : reached.map((_, count) => count > 0 && reached[count - 1] === true && matchesName(segment, path[count - 1]));
  }
  return reached.at(-1) === true;
}

/** Goes back to the last star only, which is enough. */
function matchesName(pattern: string, name = ""): boolean {
  let [at, position, star, resumeAt] = [0, 0, -1, 0];
  while (position < name.length) {
    if (pattern[at] === "*") {
      star = at++;
      resumeAt = position;
    } else if (pattern[at] === "?" || (at < pattern.length && pattern[at] === name[position])) {
      at++;
      position++;
    } else if (star !== -1) {
      at = star + 1;
      position = ++resumeAt;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(at));
}

function expandBraces(pattern: string): string[] {
  let patterns = [pattern];
  for (let more = true; more && patterns.length < maxAlternatives; ) {
    const next = patterns.flatMap(expandFirst);
    more = next.length > patterns.length;
    patterns = next;
  }
  return patterns.slice(0, maxAlternatives);
}

function expandFirst(pattern: string): string[] {
  const group = /\{([^{}]*,[^{}]*)\}/.exec(pattern);
  if (group === null) return [pattern];
  const before = pattern.slice(0, group.index);
  const after = pattern.slice(group.index + group[0].length);
  return (group[1] ?? "").split(",").map((choice) => `${before}${choice}${after}`);
}
