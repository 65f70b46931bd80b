import { type Token, tokenizer } from "acorn";
import { applyEdits, blank, type Edit } from "../apply-edits.ts";

/**
 * Blanks the import and export syntax of TypeScript that only concerns types, from an offset where such a statement
 * starts: `import type …`, `export type { … }`, `export {}`, and the word `export` before a type declaration.
 * Returns undefined when the statement there does something at run time. Positions stay.
 */
export function eraseTypeOnlyModuleSyntax(text: string, offset: number): string | undefined {
  const edits: Edit[] = [];
  let start = offset;
  for (let end = typeOnlyEnd(text, start); end !== undefined; end = typeOnlyEnd(text, start)) {
    edits.push({ start, end, text: blank(text.slice(start, end), ";") });
    start = end + (/^\s*/.exec(text.slice(end, end + 1000))?.[0].length ?? 0);
  }
  return edits.length === 0 ? undefined : applyEdits(text, edits).text;
}

/** True for `import A = B.C`, an alias that only a full transform knows. */
export function isImportAlias(text: string, offset: number): boolean {
  const tokens = new TokenReader(text.slice(offset, offset + maxStatementLength));
  return tokens.eat("import") && tokens.advance() && tokens.is("=");
}

/** Statements longer than this are not looked through. */
const maxStatementLength = 10_000;

/** Where the part to erase ends, or undefined when the statement must stay. */
function typeOnlyEnd(text: string, offset: number): number | undefined {
  const tokens = new TokenReader(text.slice(offset, offset + maxStatementLength));
  const end = tokens.eat("import") ? importEnd(tokens) : tokens.eat("export") ? exportEnd(tokens) : undefined;
  return end === undefined ? undefined : offset + end;
}

function importEnd(tokens: TokenReader): number | undefined {
  if (!tokens.eat("type") || tokens.is("from") || tokens.is(",")) return undefined;
  return tokens.endOfModuleName();
}

function exportEnd(tokens: TokenReader): number | undefined {
  const wordEnd = tokens.end;
  if (tokens.is("interface") || tokens.is("declare")) return wordEnd;
  const isType = tokens.eat("type");
  if (isType && !tokens.is("{") && !tokens.is("*")) return wordEnd;
  if (!isType && !tokens.is("{")) return undefined;
  const isEmpty = tokens.eat("{") && tokens.is("}");
  if (!isType && !isEmpty) return undefined;
  while (isType && !tokens.is("}") && tokens.advance());
  tokens.advance();
  if (tokens.is("from")) return isType ? tokens.endOfModuleName() : undefined;
  return tokens.endWithSemicolon();
}

/** Reads JavaScript tokens of a text that may stop being JavaScript. */
class TokenReader {
  readonly #tokens: ReturnType<typeof tokenizer>;
  readonly #text: string;
  #token: Token | undefined;
  #end = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokenizer(text, { ecmaVersion: "latest" });
    this.#token = this.#read();
  }

  /** End of the last token that was passed. */
  get end(): number {
    return this.#end;
  }

  is(text: string): boolean {
    return this.#token !== undefined && this.#text.slice(this.#token.start, this.#token.end) === text;
  }

  eat(text: string): boolean {
    return this.is(text) && this.advance();
  }

  /** Passes one token; false at the end. */
  advance(): boolean {
    if (this.#token === undefined) return false;
    this.#end = this.#token.end;
    this.#token = this.#read();
    return true;
  }

  /** End of the statement whose next string names a module. */
  endOfModuleName(): number | undefined {
    while (this.#token !== undefined && this.#token.type.label !== "string" && !this.is(";")) this.advance();
    if (this.#token?.type.label !== "string") return undefined;
    this.advance();
    if (this.is(")")) this.advance();
    return this.endWithSemicolon();
  }

  endWithSemicolon(): number {
    this.eat(";");
    return this.#end;
  }

  #read(): Token | undefined {
    try {
      const token = this.#tokens.getToken();
      return token.type.label === "eof" ? undefined : token;
    } catch {
      return undefined;
    }
  }
}
