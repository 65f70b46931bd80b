import { CodeModeError, type CodeModeLanguage, type PreparedSource, type SourceRequest } from "@code-mode/contract";
import { maxCastNesting, maxNesting, scanBrackets } from "./bracket-scan.ts";
import { withoutByteOrderMark } from "./byte-order-mark.ts";
import { explainSyntaxError } from "./explain-syntax-error.ts";
import { declaredForeign, refuseForeign } from "./foreign-language.ts";
import { LineTable } from "./line-table.ts";
import { composeOffsetMaps, identityMap, mapOffset, toPositionMap } from "./offset-map.ts";
import { isNestedTooDeep } from "./parse-program.ts";
import { type ShapedProgram, shapeProgram } from "./shape-program.ts";
import { SourceProblem } from "./source-problem.ts";
import { type CompilerLoader, createCompilerLoader } from "./typescript/compiler-loader.ts";
import type { Compiled } from "./typescript/strip-types.ts";
import { TypeScriptCompiler } from "./typescript/typescript-compiler.ts";
import { unfence } from "./unfence.ts";

/** Choices of `createPrepareSource`. */
export type PrepareSourceOptions = {
  /** Where TypeScript compilers come from. Default: this package's dependencies. */
  readonly loader?: CompilerLoader;
};

/** The `PrepareSource` port, answering at once: parsing and compiling are synchronous. */
export type PrepareSourceNow = (request: SourceRequest) => PreparedSource;

const typeScriptTags = new Set(["ts", "typescript", "tsx", "mts", "cts"]);
const triedAsTypeScript = 'the program is TypeScript and was run as such; send language: "typescript"';

/** A `PrepareSource` with compilers of its own. Meant for a worker thread: a hostile text may take its time. */
export function createPrepareSource(options: PrepareSourceOptions = {}): PrepareSourceNow {
  const compiler = new TypeScriptCompiler(options.loader ?? createCompilerLoader());
  return (request) => new Preparation(request, compiler).prepare();
}

/**
 * Turns the text a model sent into a program that can be evaluated as the body of an async function (the
 * `PrepareSource` port). It keeps nothing between cells: a loaded compiler lives in Node's module cache.
 */
export function prepareSource(request: SourceRequest): PreparedSource {
  return createPrepareSource()(request);
}

/** One text on its way to a program. */
class Preparation {
  readonly #compiler: TypeScriptCompiler;
  readonly #language: CodeModeLanguage;
  readonly #typescriptEnabled: boolean;
  readonly #tag: string;
  /** What was sent, without fence and byte order mark; lines and columns are those of the submitted source. */
  readonly #text: string;

  constructor({ code, language, typescriptEnabled }: SourceRequest, compiler: TypeScriptCompiler) {
    const source = withoutByteOrderMark(code);
    const fence = unfence(source);
    this.#compiler = compiler;
    this.#tag = fence?.tag ?? "";
    this.#text = fence?.text ?? source;
    this.#typescriptEnabled = typescriptEnabled;
    this.#language = typescriptEnabled && typeScriptTags.has(this.#tag) ? "typescript" : language;
  }

  prepare(): PreparedSource {
    try {
      this.#checkLanguage();
      this.#checkNesting();
      return this.#language === "typescript" ? this.#typescript() : this.#javascript();
    } catch (error) {
      throw error instanceof SourceProblem ? this.#refusal(error) : error;
    }
  }

  #javascript(): PreparedSource {
    // an interpreter line is no JavaScript inside a function; a comment has its length
    const text = this.#text.replace(/^(\s*)#!/, "$1//");
    try {
      return this.#finish(shapeProgram(text), { code: text, map: identityMap });
    } catch (error) {
      const typed = isSyntaxError(error) ? this.#triedAsTypeScript() : undefined;
      if (typed === undefined) throw error;
      return { ...typed, hints: [triedAsTypeScript, ...typed.hints] };
    }
  }

  /** Undefined when the text is no TypeScript either: then the JavaScript error is the better one (TS-4). */
  #triedAsTypeScript(): PreparedSource | undefined {
    if (!this.#typescriptEnabled) return undefined;
    try {
      return this.#typescript();
    } catch (error) {
      if (error instanceof SourceProblem && error.kind !== "refused") return undefined;
      if (CodeModeError.is(error) && error.code === "runtime_unavailable") return undefined;
      throw error;
    }
  }

  #typescript(): PreparedSource {
    const { castTooDeep } = scanBrackets(this.#text);
    if (castTooDeep !== undefined) {
      throw new SourceProblem(
        "limit",
        `\`<T>\` casts are nested more than ${maxCastNesting} levels deep; write \`value as T\``,
        castTooDeep.offset,
      );
    }
    const text = this.#text.replace(/^(\s*)#!/, "$1//");
    const compiled = this.#compiler.compile(text);
    try {
      return this.#finish(shapeProgram(compiled.code), compiled);
    } catch (error) {
      if (!(error instanceof SourceProblem)) throw error;
      if (error.kind === "syntax" && /@|\baccessor\b/.test(text)) return this.#lowered(text);
      throw error.at(mapOffset(compiled.map, error.offset));
    }
  }

  /** QuickJS has neither decorators nor `accessor`. */
  #lowered(text: string): PreparedSource {
    const compiled = this.#compiler.lower(text);
    try {
      return this.#finish(shapeProgram(compiled.code), compiled);
    } catch (error) {
      throw error instanceof SourceProblem ? error.at(mapOffset(compiled.map, error.offset)) : error;
    }
  }

  #finish(shaped: ShapedProgram, compiled: Compiled): PreparedSource {
    const { body, implicitValue, mayHoldSymbols, hints } = shaped;
    const positions = toPositionMap(composeOffsetMaps(shaped.map, compiled.map), body, this.#text);
    return { body, positions, implicitValue, mayHoldSymbols, hints };
  }

  #checkLanguage(): void {
    const foreign = declaredForeign(this.#text, this.#tag);
    if (foreign !== undefined) throw refuseForeign(foreign);
  }

  #checkNesting(): void {
    const { tooDeep } = scanBrackets(this.#text);
    if (tooDeep === undefined || !isNestedTooDeep(this.#text)) return;
    const message = `brackets are nested more than ${maxNesting} levels deep; flatten the program or build the data in a loop`;
    throw new SourceProblem("limit", message, tooDeep.offset);
  }

  #refusal(problem: SourceProblem): CodeModeError {
    const { message, offset } = explainSyntaxError(problem, this.#text);
    const { line, column } = new LineTable(this.#text).positionAt(offset);
    return new CodeModeError("invalid_input", message, { details: { line, column } });
  }
}

function isSyntaxError(error: unknown): boolean {
  return error instanceof SourceProblem && error.kind === "syntax";
}
