import type {
  AnonymousClassDeclaration,
  AnonymousFunctionDeclaration,
  AnyNode,
  Class,
  Function as FunctionNode,
  Program,
} from "acorn";
import { maxNesting } from "./bracket-scan.ts";
import { moduleNames, ProgramScope } from "./program-scope.ts";
import { SourceProblem } from "./source-problem.ts";

/** What the rules of EXEC-4 and EXEC-13 need to know of a program. */
export type ProgramFacts = {
  /** A `return` outside every function: the author says what the value is. */
  readonly hasTopLevelReturn: boolean;
  /** Everything that reaches for modules, in source order. */
  readonly moduleAccess: readonly ModuleAccess[];
};

/** One use of the module system. */
export type ModuleAccess = { readonly node: AnyNode; readonly what: string };

/** Walks a syntax tree without recursion: hostile trees are deeper than the stack. */
export function inspectProgram(tree: Program): ProgramFacts {
  return new ProgramInspector().inspect(tree);
}

type Reference = { readonly node: AnyNode; readonly name: string; readonly scope: ProgramScope };

class ProgramInspector {
  readonly #pending: [AnyNode, ProgramScope][] = [];
  readonly #access: ModuleAccess[] = [];
  readonly #references: Reference[] = [];
  #hasTopLevelReturn = false;

  inspect(tree: Program): ProgramFacts {
    const scope = new ProgramScope();
    this.#addAll(tree.body, scope);
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) this.#visit(...next);
    for (const { node, name, scope: used } of this.#references) {
      if (!used.knows(name)) this.#access.push({ node, what: name });
    }
    const moduleAccess = this.#access.sort((a, b) => a.node.start - b.node.start);
    return { hasTopLevelReturn: this.#hasTopLevelReturn, moduleAccess };
  }

  #visit(node: AnyNode, scope: ProgramScope): void {
    switch (node.type) {
      case "Identifier":
        if (moduleNames.has(node.name)) this.#references.push({ node, name: node.name, scope });
        return;
      case "ReturnStatement":
        if (scope.functionDepth === 0) this.#hasTopLevelReturn = true;
        this.#add(node.argument, scope);
        return;
      case "UnaryExpression":
        if (node.operator === "typeof" && node.argument.type === "Identifier") return;
        this.#add(node.argument, scope);
        return;
      case "MemberExpression":
        this.#add(node.object, scope);
        if (node.computed) this.#add(node.property, scope);
        return;
      case "Property":
      case "MethodDefinition":
      case "PropertyDefinition":
        if (node.computed) this.#add(node.key, scope);
        this.#add(node.value, scope);
        return;
      case "LabeledStatement":
        this.#add(node.body, scope);
        return;
      case "BreakStatement":
      case "ContinueStatement":
        return;
      default:
        if (!this.#visitModuleSyntax(node, scope)) this.#visitDeclaration(node, scope);
    }
  }

  /** Returns true when the node was module syntax. */
  #visitModuleSyntax(node: AnyNode, scope: ProgramScope): boolean {
    const what = moduleSyntaxName(node);
    if (what === undefined) return false;
    this.#access.push({ node, what });
    if (node.type === "ImportExpression") this.#add(node.source, scope);
    if (node.type === "ExportDefaultDeclaration" || node.type === "ExportNamedDeclaration") {
      this.#add(node.declaration, scope);
    }
    return true;
  }

  #visitDeclaration(node: AnyNode, scope: ProgramScope): void {
    switch (node.type) {
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        this.#visitFunction(node, scope);
        return;
      case "ClassDeclaration":
      case "ClassExpression":
        this.#visitClass(node, scope);
        return;
      case "VariableDeclaration":
        for (const { id } of node.declarations) (node.kind === "var" ? scope.functionScope : scope).declarePattern(id);
        this.#addChildren(node, scope);
        return;
      case "CatchClause": {
        const inner = new ProgramScope(scope);
        if (node.param) inner.declarePattern(node.param);
        this.#addChildren(node, inner);
        return;
      }
      case "StaticBlock":
        this.#addChildren(node, new ProgramScope(scope, true));
        return;
      case "BlockStatement":
      case "ForStatement":
      case "ForInStatement":
      case "ForOfStatement":
      case "SwitchStatement":
        this.#addChildren(node, new ProgramScope(scope));
        return;
      default:
        this.#addChildren(node, scope);
    }
  }

  #visitFunction(node: FunctionNode | AnonymousFunctionDeclaration, scope: ProgramScope): void {
    const inner = new ProgramScope(scope, true);
    if (inner.functionDepth > maxNesting) {
      throw new SourceProblem(
        "limit",
        `functions are nested more than ${maxNesting} levels deep; flatten the program`,
        node.start,
      );
    }
    if (node.id && node.type === "FunctionDeclaration") {
      scope.declare(node.id.name);
      // sloppy code sees a function of a block in the whole function around it
      scope.functionScope.declare(node.id.name);
    } else if (node.id) inner.declare(node.id.name);
    for (const param of node.params) inner.declarePattern(param);
    this.#addAll(node.params, inner);
    this.#add(node.body, inner);
  }

  #visitClass(node: Class | AnonymousClassDeclaration, scope: ProgramScope): void {
    const inner = new ProgramScope(scope);
    if (node.id) (node.type === "ClassDeclaration" ? scope : inner).declare(node.id.name);
    this.#add(node.superClass, inner);
    this.#add(node.body, inner);
  }

  #add(node: AnyNode | null | undefined, scope: ProgramScope): void {
    if (node) this.#pending.push([node, scope]);
  }

  #addAll(nodes: readonly (AnyNode | null)[], scope: ProgramScope): void {
    for (const node of nodes) this.#add(node, scope);
  }

  #addChildren(node: AnyNode, scope: ProgramScope): void {
    for (const value of Object.values(node)) {
      if (Array.isArray(value)) this.#addAll(value.filter(isNode), scope);
      else if (isNode(value)) this.#add(value, scope);
    }
  }
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";
}

function moduleSyntaxName(node: AnyNode): string | undefined {
  switch (node.type) {
    case "ImportDeclaration":
      return "import";
    case "ExportNamedDeclaration":
    case "ExportDefaultDeclaration":
    case "ExportAllDeclaration":
      return "export";
    case "ImportExpression":
      return "import()";
    case "MetaProperty":
      return node.meta.name === "import" ? "import.meta" : undefined;
    default:
      return undefined;
  }
}
