/** A bracket and where it stands. */
export type Bracket = { readonly char: string; readonly offset: number };

/** What one pass over the brackets of a text found. */
export type BracketScan = {
  /** The first bracket that is nested deeper than allowed. */
  readonly tooDeep: Bracket | undefined;
  /** The first bracket inside too many angle-bracket casts. */
  readonly castTooDeep: Bracket | undefined;
  /** The first closing bracket that does not fit, with the one that is open there. */
  readonly mismatch: { readonly closing: Bracket; readonly open: Bracket | undefined } | undefined;
  /** The innermost bracket that is still open at the end. */
  readonly unclosed: Bracket | undefined;
  /** Code characters times the length of their line, summed up: what diagnostics that quote their line may cost. */
  readonly diagnosticCost: number;
  /** Offsets behind a separator where a line break changes nothing; none of them leaves a long line. */
  readonly breaks: readonly number[];
};

/** A line longer than this gets breaks where it can have them. */
const longLine = 60;

/** Deepest bracket nesting of a program. Engines and compilers recurse per level and some of them die at 800. */
export const maxNesting = 500;

/** Deepest nesting of `<T>` casts: the TypeScript parser tries each of them twice, so 22 levels take seconds. */
export const maxCastNesting = 12;

/**
 * Looks at the brackets of a text in O(n), skipping strings, comments and (roughly) regular expressions. It decides
 * nothing about meaning: it guards the parsers and words their errors.
 */
export function scanBrackets(text: string): BracketScan {
  return new BracketScanner(text).scan();
}

type Open = Bracket & { readonly closing: string; readonly isCast: boolean };

const closingOf: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "`": "`" };
/** After these words an operand follows: a slash starts a regular expression, an angle bracket a cast. */
const operatorWords = new Set(
  "return typeof instanceof in of new delete void throw case do else await yield extends default".split(" "),
);

class BracketScanner {
  readonly #text: string;
  readonly #wordPattern = /[\p{ID_Continue}$\u200c\u200d]+/uy;
  readonly #stack: Open[] = [];
  #index = 0;
  #depth = 0;
  #castDepth = 0;
  /** True where an operand may start. */
  #expectsOperand = true;
  #castPending = false;
  /** Slashes before this offset divide: no regular expression ends on their line. */
  #dividesUntil = 0;
  readonly #breaks: number[] = [];
  #lastBreak = 0;
  #diagnosticCost = 0;
  #lineStart = 0;
  #lineCode = 0;
  #tooDeep: Bracket | undefined;
  #castTooDeep: Bracket | undefined;
  #mismatch: BracketScan["mismatch"];

  constructor(text: string) {
    this.#text = text;
  }

  scan(): BracketScan {
    while (this.#index < this.#text.length) this.#step(this.#text.charAt(this.#index));
    this.#endLine(this.#text.length);
    return {
      tooDeep: this.#tooDeep,
      castTooDeep: this.#castTooDeep,
      mismatch: this.#mismatch,
      unclosed: this.#stack.at(-1),
      diagnosticCost: this.#diagnosticCost,
      breaks: this.#breaks,
    };
  }

  #step(char: string): void {
    if (char === "\n") this.#endLine(this.#index);
    if (this.#stack.at(-1)?.char === "`") this.#stepTemplate(char);
    else this.#stepCode(char);
  }

  #stepCode(char: string): void {
    this.#lineCode++;
    if (char === "(" || char === "[" || char === "{" || char === "`") this.#open(char);
    else if (char === ")" || char === "]" || char === "}") this.#close(char);
    else if (char === '"' || char === "'") this.#skipString(char);
    else if (char === "/") this.#slash();
    else if (char === "\\") this.#index += 2;
    else if (char <= " ") this.#index++;
    else if (!this.#word()) this.#operator(char);
  }

  #stepTemplate(char: string): void {
    if (char === "`") this.#close(char);
    else if (char === "$" && this.#text[this.#index + 1] === "{") {
      this.#index++;
      this.#open("{");
    } else this.#index += char === "\\" ? 2 : 1;
  }

  #open(char: string): void {
    const bracket = { char, offset: this.#index };
    if (this.#castPending) this.#castDepth++;
    this.#stack.push({ ...bracket, closing: closingOf[char] ?? char, isCast: this.#castPending });
    if (char !== "`" && ++this.#depth > maxNesting) this.#tooDeep ??= bracket;
    if (this.#castDepth > maxCastNesting) this.#castTooDeep ??= bracket;
    this.#castPending = false;
    this.#expectsOperand = true;
    if (char !== "`") this.#separate();
    this.#index++;
  }

  #close(char: string): void {
    const open = this.#stack.at(-1);
    if (open?.closing === char) {
      this.#stack.pop();
      if (char !== "`") this.#depth--;
    } else this.#mismatch ??= { closing: { char, offset: this.#index }, open };
    if (open?.isCast && open.closing === char) this.#castDepth--;
    this.#castPending = false;
    this.#expectsOperand = false;
    this.#index++;
  }

  #skipString(quote: string): void {
    let index = this.#index + 1;
    while (index < this.#text.length && this.#text[index] !== quote && this.#text[index] !== "\n") {
      index += this.#text[index] === "\\" ? 2 : 1;
    }
    this.#index = this.#text[index] === "\n" ? index : index + 1;
    this.#expectsOperand = false;
  }

  #slash(): void {
    const next = this.#text[this.#index + 1];
    if (next === "/") this.#skipTo("\n", this.#index + 2);
    else if (next === "*") this.#skipTo("*/", this.#index + 2);
    else if (!this.#expectsOperand || !this.#skipRegularExpression()) this.#operator("/");
  }

  /** False when no regular expression ends on this line: then the slash divides. */
  #skipRegularExpression(): boolean {
    if (this.#index < this.#dividesUntil) return false;
    let index = this.#index + 1;
    let inClass = false;
    for (; index < this.#text.length; index++) {
      const char = this.#text[index];
      if (char === "\n" || (char === "/" && !inClass)) break;
      if (char === "\\") index++;
      else if (char === "[" || char === "]") inClass = char === "[";
    }
    if (this.#text[index] !== "/") {
      this.#dividesUntil = index;
      return false;
    }
    this.#index = index + 1;
    this.#expectsOperand = false;
    return true;
  }

  #word(): boolean {
    this.#wordPattern.lastIndex = this.#index;
    const word = this.#wordPattern.exec(this.#text)?.[0];
    if (word === undefined) return false;
    const isMember = this.#text[this.#index - 1] === ".";
    this.#lineCode += word.length - 1;
    this.#expectsOperand = !isMember && operatorWords.has(word);
    if (word === "extends" && !isMember) this.#castPending = true;
    this.#index += word.length;
    return true;
  }

  #operator(char: string): void {
    const isDoubled = (char === "+" || char === "-") && this.#text[this.#index + 1] === char;
    if (isDoubled) {
      // `i++ / 2` divides, `++/x/.n` does not: what was expected still is
      this.#index += 2;
      return;
    }
    if (char === "<" && this.#expectsOperand) this.#castPending = true;
    if (char === ";" || char === ",") {
      this.#castPending = false;
      this.#separate();
    }
    this.#expectsOperand = char !== ".";
    this.#index++;
  }

  #skipTo(end: string, from: number): void {
    const found = this.#text.indexOf(end, from);
    const lineBreak = end === "\n" ? -1 : this.#text.slice(from, found === -1 ? undefined : found).lastIndexOf("\n");
    if (lineBreak !== -1) this.#endLine(from + lineBreak);
    // a line break that ends a comment is left to be seen
    this.#index = found === -1 ? this.#text.length : found + (end === "\n" ? 0 : end.length);
  }

  #endLine(end: number): void {
    this.#diagnosticCost += this.#lineCode * (end - this.#lineStart);
    this.#lineStart = end + 1;
    this.#lastBreak = end + 1;
    this.#lineCode = 0;
  }

  #separate(): void {
    if (this.#index - this.#lastBreak < longLine) return;
    this.#lastBreak = this.#index + 1;
    this.#breaks.push(this.#lastBreak);
  }
}
