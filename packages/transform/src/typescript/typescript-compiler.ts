import { CodeModeError, messageOf } from "@code-mode/contract";
import { refuseModuleAccess } from "../module-access.ts";
import { SourceProblem } from "../source-problem.ts";
import type { CompilerLoader, TypeStripper } from "./compiler-loader.ts";
import { eraseTypeOnlyModuleSyntax, isImportAlias } from "./erase-module-syntax.ts";
import { lowerDecorators } from "./lower-decorators.ts";
import {
  type Compiled,
  type StripFailure,
  type StripMode,
  type StripRequest,
  type StripResult,
  stripTypes,
} from "./strip-types.ts";

/** Most separate places with type-only imports or exports; each costs a compiler run. */
const maxModulePlaces = 32;

/** The large compiler takes seconds for some hostile texts longer than this. */
const maxLoweredLength = 32_768;

/** TypeScript to JavaScript, string in, string out; compilers are loaded when the first cell needs them. */
export class TypeScriptCompiler {
  readonly #loader: CompilerLoader;

  constructor(loader: CompilerLoader) {
    this.#loader = loader;
  }

  /**
   * Erases types in place; rewrites only what has no erasable form (enums, namespaces, parameter properties, `<T>x`).
   * Decorators stay as they are. Throws a `SourceProblem` for a diagnostic.
   */
  compile(text: string): Compiled {
    const stripped = this.#run(text, "strip-only");
    if ("compiled" in stripped) return stripped.compiled;
    if (!stripped.failure.unsupported) throw toProblem(stripped.failure);
    const transformed = this.#run(text, "transform");
    if ("compiled" in transformed) return transformed.compiled;
    if (!transformed.failure.unsupported) throw toProblem(transformed.failure);
    return this.lower(text);
  }

  /** Compiles decorators away, with the large compiler. Throws a `SourceProblem` for a diagnostic. */
  lower(text: string): Compiled {
    if (text.length > maxLoweredLength) {
      const message = `decorators, \`accessor\` and import aliases are only compiled in programs of up to ${maxLoweredLength} characters`;
      throw new SourceProblem("refused", message, Math.max(0, text.search(/@|\baccessor\b/)));
    }
    const api = load(() => this.#loader.loadLowering());
    try {
      return lowerDecorators(api, text);
    } catch (error) {
      throw error instanceof RangeError ? tooDeep() : error;
    }
  }

  /** Tries the text as a function body first: programs return more often than they import types. */
  #run(text: string, mode: StripMode): StripResult {
    let source = text;
    for (let place = 0; place < maxModulePlaces; place++) {
      const body = this.#strip({ text: source, mode, isBody: true });
      if ("compiled" in body || !/^(?:im|ex)port\b/.test(source.slice(body.failure.offset, body.failure.offset + 8)))
        return body;
      const erased = eraseTypeOnlyModuleSyntax(source, body.failure.offset);
      if (erased === undefined) return this.#runBare(source, mode, body.failure);
      source = erased;
    }
    throw new SourceProblem(
      "limit",
      `type-only imports and exports in more than ${maxModulePlaces} places; put them at the top`,
      0,
    );
  }

  /** Modules parse only bare, where `return` does not. */
  #runBare(text: string, mode: StripMode, refused: StripFailure): StripResult {
    const bare = this.#strip({ text, mode, isBody: false });
    if ("compiled" in bare || !text.startsWith("return", bare.failure.offset)) return bare;
    if (isImportAlias(text, refused.offset)) return { failure: { ...refused, unsupported: true } };
    throw refuseModuleAccess(text.startsWith("import", refused.offset) ? "import" : "export", refused.offset);
  }

  #strip(request: StripRequest): StripResult {
    const stripper: TypeStripper = load(() => this.#loader.loadStripper());
    try {
      return stripTypes(stripper, request);
    } catch {
      // not a diagnostic but a trap (stack or memory of the WASM instance): the text is to blame, the instance is lost
      this.#loader.dropStripper();
      throw tooDeep();
    }
  }
}

function load<T>(loading: () => T): T {
  try {
    return loading();
  } catch (cause) {
    throw new CodeModeError("runtime_unavailable", `the TypeScript compiler could not be loaded: ${messageOf(cause)}`, {
      cause,
    });
  }
}

function toProblem({ message, offset }: StripFailure): SourceProblem {
  return new SourceProblem("syntax", message, offset);
}

function tooDeep(): SourceProblem {
  return new SourceProblem(
    "limit",
    "the program is nested too deeply for the TypeScript compiler; flatten it or build the data in a loop",
    0,
  );
}
