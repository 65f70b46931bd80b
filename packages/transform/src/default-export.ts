import type { ExportDefaultDeclaration, Program } from "acorn";
import { blank } from "./apply-edits.ts";
import { callAtEnd, invoke, isFunction, type Shape } from "./program-forms.ts";

/** The accepted `export default` of a program and what becomes of it. */
export type DefaultExport = { readonly node: ExportDefaultDeclaration; readonly shape: Shape };

/** Finds `export default` of a function that is the program (EXEC-13); undefined when there is none to accept. */
export function findDefaultExport(text: string, tree: Program): DefaultExport | undefined {
  const found = tree.body.filter((node) => node.type === "ExportDefaultDeclaration");
  const [node] = found;
  if (node === undefined || found.length > 1) return undefined;
  const shape = shapeDeclared(text, tree, node) ?? shapeAnonymous(tree, node);
  return shape === undefined ? undefined : { node, shape };
}

/** A named function stays where it is, hoisted as before, and is called at the end. */
function shapeDeclared(text: string, tree: Program, node: ExportDefaultDeclaration): Shape | undefined {
  const { declaration } = node;
  if (declaration.type === "FunctionDeclaration" && declaration.id !== null && !declaration.generator) {
    const prefix = {
      start: node.start,
      end: declaration.start,
      text: blank(text.slice(node.start, declaration.start)),
    };
    return { edits: [prefix, callAtEnd(text, declaration.id.name, declaration.start)] };
  }
  if (declaration.type !== "Identifier" || !declaresFunction(tree, declaration.name)) return undefined;
  const erased = { start: node.start, end: node.end, text: blank(text.slice(node.start, node.end), ";") };
  return { edits: [erased, callAtEnd(text, declaration.name, declaration.start)] };
}

function shapeAnonymous(tree: Program, node: ExportDefaultDeclaration): Shape | undefined {
  const { declaration } = node;
  const last = tree.body.findLast(({ type }) => type !== "FunctionDeclaration" && type !== "EmptyStatement");
  if (last !== node || declaration.type === "ClassDeclaration") return undefined;
  const isCallable = declaration.type === "FunctionDeclaration" ? !declaration.generator : isFunction(declaration);
  return isCallable ? { edits: invoke(node, declaration) } : undefined;
}

function declaresFunction(tree: Program, name: string): boolean {
  return tree.body.some((node) => {
    if (node.type === "FunctionDeclaration") return node.id.name === name && !node.generator;
    if (node.type !== "VariableDeclaration") return false;
    return node.declarations.some(
      ({ id, init }) => id.type === "Identifier" && id.name === name && !!init && isFunction(init),
    );
  });
}
