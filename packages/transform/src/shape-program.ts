import type { AnyNode, Program } from "acorn";
import { applyEdits, blank, type Edit } from "./apply-edits.ts";
import { findDefaultExport } from "./default-export.ts";
import { refuseForeign } from "./foreign-language.ts";
import { inspectProgram, type ModuleAccess } from "./inspect-program.ts";
import { refuseModuleAccess } from "./module-access.ts";
import type { OffsetMap } from "./offset-map.ts";
import { parseProgram, parseWholeExpression } from "./parse-program.ts";
import { type Shape, shapeExpression, shapeStatements } from "./program-forms.ts";
import { isShellCommand } from "./shell-command.ts";
import { SourceProblem } from "./source-problem.ts";

/** A JavaScript program in the form in which it is evaluated: the body of an async function. */
export type ShapedProgram = {
  readonly body: string;
  readonly map: OffsetMap;
  readonly implicitValue: boolean;
  readonly mayHoldSymbols: boolean;
  readonly hints: readonly string[];
};

/**
 * Applies EXEC-4, EXEC-5 and EXEC-13 to a JavaScript text. Throws a `SourceProblem` for a text that does not parse
 * or that uses modules.
 */
export function shapeProgram(text: string): ShapedProgram {
  const { shape, hasEscapedNames } = findShape(text);
  const { text: body, map } = applyEdits(text, shape.edits);
  return {
    body,
    map,
    implicitValue: shape.implicitValue ?? false,
    mayHoldSymbols: hasEscapedNames || /Symbol|ownKeys/.test(text),
    hints: shape.hint === undefined ? [] : [shape.hint],
  };
}

type Found = { readonly shape: Shape; readonly hasEscapedNames: boolean };

/** An anonymous function or an object literal is no statement, yet it may be the whole program. */
function findShape(text: string): Found {
  try {
    const { tree, hasEscapedNames } = parseProgram(text);
    return { shape: shapeTree(text, tree), hasEscapedNames };
  } catch (error) {
    if (!(error instanceof SourceProblem) || error.kind !== "syntax") throw error;
    const shape = shapeWholeExpression(text);
    if (shape === undefined) throw error;
    return { shape, hasEscapedNames: text.includes("\\u") };
  }
}

function shapeWholeExpression(text: string): Shape | undefined {
  const expression = parseWholeExpression(text);
  const shape = expression === undefined ? undefined : shapeExpression(expression);
  if (expression === undefined || shape === undefined) return undefined;
  const { start, end } = expression;
  refuseAny(
    inspectProgram({
      type: "Program",
      sourceType: "script",
      start,
      end,
      body: [{ type: "ExpressionStatement", start, end, expression }],
    }).moduleAccess,
  );
  return shape;
}

function shapeTree(text: string, tree: Program): Shape {
  if (isShellCommand(tree))
    throw refuseForeign({
      language: "shell",
      line: text.trim().split("\n", 1)[0] ?? "",
      offset: tree.body[0]?.start ?? 0,
    });
  const { hasTopLevelReturn, moduleAccess } = inspectProgram(tree);
  const entry = hasTopLevelReturn ? undefined : findDefaultExport(text, tree);
  const markers = tree.body.filter(isModuleMarker);
  const accepted = new Set<AnyNode>(entry === undefined ? markers : [...markers, entry.node]);
  refuseAny(moduleAccess.filter(({ node }) => !accepted.has(node)));
  const erased = markers.map(({ start, end }): Edit => ({ start, end, text: blank(text.slice(start, end), ";") }));
  const shape = hasTopLevelReturn ? { edits: [] } : (entry?.shape ?? shapeStatements(text, tree));
  return { ...shape, edits: [...erased, ...shape.edits] };
}

function refuseAny([first]: readonly ModuleAccess[]): void {
  if (first !== undefined) throw refuseModuleAccess(first.what, first.node.start);
}

/** `export {}` only says that a file is a module; it may stand in any program. */
function isModuleMarker(node: AnyNode): boolean {
  return node.type === "ExportNamedDeclaration" && !node.declaration && !node.source && node.specifiers.length === 0;
}
