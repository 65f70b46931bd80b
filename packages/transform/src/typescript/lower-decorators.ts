import type * as TypeScript from "typescript";
import type { OffsetMap } from "../offset-map.ts";
import { SourceProblem } from "../source-problem.ts";
import type { TypeScriptApi } from "./compiler-loader.ts";
import { readSourceMap } from "./source-map.ts";
import type { Compiled } from "./strip-types.ts";

/**
 * Compiles a TypeScript text with decorators (or `accessor` fields) to a level without them. Throws a
 * `SourceProblem` for the first diagnostic, and for a decorator where the standard knows none.
 */
export function lowerDecorators(ts: TypeScriptApi, text: string): Compiled {
  const output = ts.transpileModule(text, {
    fileName: "cell.ts",
    reportDiagnostics: true,
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      // a cell awaits at top level even if it neither imports nor exports
      moduleDetection: ts.ModuleDetectionKind.Force,
      verbatimModuleSyntax: true,
      sourceMap: true,
    },
    transformers: { before: [refuseMisplacedDecorators(ts)] },
  });
  const [diagnostic] = output.diagnostics ?? [];
  if (diagnostic !== undefined) {
    throw new SourceProblem(
      "syntax",
      ts.flattenDiagnosticMessageText(diagnostic.messageText, " "),
      diagnostic.start ?? 0,
    );
  }
  const code = output.outputText.slice(0, output.outputText.lastIndexOf("//# sourceMappingURL="));
  const map: OffsetMap = readSourceMap(output.sourceMapText ?? '{"mappings":""}', code, text);
  return { code, map };
}

/** The compiler would drop these without a word. */
function refuseMisplacedDecorators(ts: TypeScriptApi): TypeScript.TransformerFactory<TypeScript.SourceFile> {
  return () => (file) => {
    const pending: [TypeScript.Node, TypeScript.Node][] = [];
    const add = (node: TypeScript.Node): void => ts.forEachChild(node, (child) => void pending.push([child, node]));
    add(file);
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const [node, parent] = next;
      if (ts.isDecorator(node) && !ts.isClassLike(parent) && !ts.isClassElement(parent)) {
        const message = "decorators are only supported on classes and their members, not on parameters or elsewhere";
        throw new SourceProblem("refused", message, node.getStart(file));
      }
      add(node);
    }
    return file;
  };
}
