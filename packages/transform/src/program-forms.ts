import type { Expression, FunctionDeclaration, ModuleDeclaration, Program, Statement } from "acorn";
import type { Edit } from "./apply-edits.ts";
import { parseWholeExpression } from "./parse-program.ts";

/** What one rule wants done to the text. */
export type Shape = { readonly edits: readonly Edit[]; readonly implicitValue?: boolean; readonly hint?: string };

type Part = { readonly start: number; readonly end: number };
type TopLevel = Statement | ModuleDeclaration;

const entryNames = ["main", "run", "execute"];

/**
 * The edits that give a program without a top-level `return` its value (EXEC-5, EXEC-13): the function it consists
 * of is called, or its last expression becomes the value.
 */
export function shapeStatements(text: string, tree: Program): Shape {
  const statements = tree.body.filter((node) => !isSilent(node));
  const [first] = statements;
  if (first === undefined) return lastDirective(tree);
  if (statements.length === 1) return shapeOnly(text, first);
  if (statements.every((node) => node.type === "FunctionDeclaration")) return callEntry(text, statements);
  return lastExpression(statements);
}

/** The edits that give a text that is one expression, and no statement, its value; undefined if it has no such form. */
export function shapeExpression(expression: Expression): Shape | undefined {
  if (isFunction(expression)) return { edits: invoke(expression, expression) };
  return expression.type === "ObjectExpression" ? asValue(expression) : undefined;
}

/** Calls what stands at `callee` and returns what it gives; everything of `whole` before it is dropped. */
export function invoke(whole: Part, callee: Part): Edit[] {
  return [
    { start: whole.start, end: callee.start, text: "return (", anchor: callee.start },
    { start: callee.end, end: callee.end, text: ")()" },
  ];
}

/** Calls a declared function at the end of the program. */
export function callAtEnd(text: string, name: string, anchor: number): Edit {
  return { start: text.length, end: text.length, text: `\nreturn ${name}();`, anchor };
}

/** True for a function that can be called for its result. */
export function isFunction(node: Expression): boolean {
  const inner = withoutParens(node);
  return inner.type === "ArrowFunctionExpression" || (inner.type === "FunctionExpression" && !inner.generator);
}

/** Nodes that say nothing about the value: empty statements, directives, `export {}`. */
function isSilent(node: TopLevel): boolean {
  if (node.type === "ExpressionStatement") return isDirective(node);
  return node.type === "EmptyStatement" || node.type === "ExportNamedDeclaration";
}

function isDirective(node: TopLevel): boolean {
  return "directive" in node && typeof node.directive === "string";
}

/** A program that is only `"some text"` is a value, although the grammar calls it a directive. */
function lastDirective(tree: Program): Shape {
  const last = tree.body.findLast(isDirective);
  if (last?.type !== "ExpressionStatement" || ("directive" in last && last.directive === "use strict"))
    return { edits: [] };
  return asValue(last.expression);
}

function shapeOnly(text: string, only: TopLevel): Shape {
  if (only.type === "FunctionDeclaration") return callEntry(text, [only]);
  if (only.type === "BlockStatement") {
    const literal = parseWholeExpression(text.slice(only.start, only.end));
    return literal?.type === "ObjectExpression" ? asValue(only) : { edits: [] };
  }
  if (only.type !== "ExpressionStatement") return { edits: [] };
  const { expression } = only;
  if (isFunction(expression)) return { edits: invoke(expression, expression) };
  return { ...asValue(expression), implicitValue: !isCalledInPlace(expression) };
}

/** `(async () => { … })()`, awaited or not: its value comes from its own `return`. */
function isCalledInPlace(expression: Expression): boolean {
  const inner = withoutParens(expression);
  if (inner.type === "AwaitExpression") return isCalledInPlace(inner.argument);
  return inner.type === "CallExpression" && inner.callee.type !== "Super" && isFunction(inner.callee);
}

function callEntry(text: string, statements: readonly TopLevel[]): Shape {
  const functions = statements.filter((node): node is FunctionDeclaration => node.type === "FunctionDeclaration");
  const entries = functions.filter(({ id, generator }) => entryNames.includes(id.name) && !generator);
  const [entry] = entries;
  if (entry === undefined || entries.length > 1) {
    const name = functions.at(-1)?.id.name ?? "main";
    return {
      edits: [],
      hint: `the program only declares functions and calls none; end it with \`return await ${name}();\``,
    };
  }
  const { name } = entry.id;
  return {
    edits: [callAtEnd(text, name, entry.start)],
    hint: `the program only declares functions, so ${name}() was called; end it with \`return await ${name}();\` to say so`,
  };
}

function lastExpression(statements: readonly TopLevel[]): Shape {
  // what is hoisted does nothing at the end: a call above it still is the last thing that runs
  const last = statements.findLast((node) => node.type !== "FunctionDeclaration" && !isBareVar(node));
  return last?.type === "ExpressionStatement" ? asValue(last.expression) : { edits: [] };
}

/** `var x;`; the compiler puts the variable of a namespace there. */
function isBareVar(node: TopLevel): boolean {
  return node.type === "VariableDeclaration" && node.kind === "var" && node.declarations.every(({ init }) => !init);
}

function asValue(part: Part): Shape {
  const edits = [
    { start: part.start, end: part.start, text: "return (" },
    { start: part.end, end: part.end, text: ")" },
  ];
  return { edits, implicitValue: true };
}

function withoutParens(node: Expression): Expression {
  let inner = node;
  while (inner.type === "ParenthesizedExpression") inner = inner.expression;
  return inner;
}
