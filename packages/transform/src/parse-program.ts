import { type Expression, type Options, Parser, type Program, type Token, type TokenType, tokTypes } from "acorn";
import { maxNesting } from "./bracket-scan.ts";
import { SourceProblem } from "./source-problem.ts";

/** A syntax tree with what only the token stream tells. */
export type ParsedProgram = {
  readonly tree: Program;
  /** An identifier is written with a unicode escape, so a search of the text may miss its name. */
  readonly hasEscapedNames: boolean;
};

/** The text is read as the body of an async function, modules included so that they can be refused by name. */
const options: Options = {
  ecmaVersion: "latest",
  sourceType: "script",
  allowImportExportEverywhere: true,
  preserveParens: true,
};

/** Parses a program. Throws a `SourceProblem` that says what is wrong and where. */
export function parseProgram(text: string): ParsedProgram {
  let hasEscapedNames = false;
  const onToken = (token: Token): void => {
    hasEscapedNames ||= isEscapedName(token);
  };
  const tree = guard(() => CellParser.parse(text, text.includes("\\u") ? { ...options, onToken } : options), text);
  return { tree, hasEscapedNames };
}

/** The one expression a text consists of (semicolons may follow), or undefined. */
export function parseWholeExpression(text: string): Expression | undefined {
  try {
    const expression = CellParser.parseExpressionAt(text, 0, options);
    for (const token of CellParser.tokenizer(text.slice(expression.end), options)) {
      if (token.type.label !== ";") return undefined;
    }
    return expression;
  } catch {
    return undefined;
  }
}

/** True when the token stream nests brackets deeper than allowed, or cannot be read. */
export function isNestedTooDeep(text: string): boolean {
  let depth = 0;
  try {
    for (const { type } of CellParser.tokenizer(text, options)) {
      if (/[([{]$/.test(type.label)) depth++;
      if (/^[)\]}]$/.test(type.label)) depth--;
      if (depth > maxNesting) return true;
    }
    return false;
  } catch {
    return true;
  }
}

function isEscapedName(token: Token): boolean {
  const { value } = token as Token & { value?: unknown };
  return token.type.label === "name" && typeof value === "string" && value.length !== token.end - token.start;
}

function guard<T>(parse: () => T, text: string): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof SourceProblem) throw error;
    if (error instanceof RangeError) throw tooDeep(0);
    if (!(error instanceof SyntaxError)) throw error;
    const message = error.message.replace(/ \(\d+:\d+\)$/, "");
    const offset = Math.min((error as SyntaxError & { pos?: number }).pos ?? 0, text.length);
    throw message.startsWith("Not enough stack") ? tooDeep(offset) : new SourceProblem("syntax", message, offset);
  }
}

function tooDeep(offset: number): SourceProblem {
  return new SourceProblem(
    "limit",
    "the program is nested too deeply to be parsed; flatten it or build the data in a loop",
    offset,
  );
}

/** Names of one scope. The parser searches its arrays per declaration, which is quadratic for hostile texts. */
class NameList extends Array<string> {
  #known: Set<string> | undefined;

  override indexOf(name: string): number {
    if (this.length < 32) return super.indexOf(name);
    this.#known ??= new Set(this);
    return this.#known.has(name) ? 0 : -1;
  }

  override push(name: string): number {
    this.#known?.add(name);
    return super.push(name);
  }
}

/** The parts of the parser's scope bookkeeping that are replaced; they are internal, so acorn's version is exact. */
type ScopeNames = { var: string[]; lexical: string[]; functions: string[] };
type ScopedParser = Parser & {
  labels: unknown[];
  scopeStack: unknown[];
  enterScope(flags: number): void;
  currentScope(): ScopeNames;
  parseLabeledStatement(...rest: unknown[]): unknown;
  type: TokenType;
  exprAllowed: boolean;
  updateContext(previous: TokenType): void;
};

/** acorn's flags for the scope of a function and of an async one: the outermost scope of a cell is that of a body. */
const asyncFunctionScope = 2 | 4;

const CellParser = Parser.extend((base) => {
  const Base = base as unknown as new (options: Options, input: string, start?: number) => ScopedParser;
  class LinearParser extends Base {
    override enterScope(flags: number): void {
      super.enterScope(this.scopeStack.length === 0 ? asyncFunctionScope : flags);
      Object.assign(this.currentScope(), { var: new NameList(), lexical: new NameList(), functions: new NameList() });
    }

    /** `value?.return / 2` divides: behind `?.` a keyword is a name, as it is behind a dot. */
    override updateContext(previous: TokenType): void {
      super.updateContext(previous);
      if (this.type.keyword !== undefined && previous === tokTypes.questionDot) this.exprAllowed = false;
    }

    /** Each label is compared with all around it. */
    override parseLabeledStatement(...rest: unknown[]): unknown {
      if (this.labels.length > maxNesting) throw tooDeep(0);
      return super.parseLabeledStatement(...rest);
    }
  }
  return LinearParser as unknown as typeof Parser;
});
