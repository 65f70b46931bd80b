import type { Pattern } from "acorn";

/** Names that mean module access when they are free (EXEC-4). */
export const moduleNames: ReadonlySet<string> = new Set(["require", "module", "exports", "importScripts"]);

/** One scope of a program; it only remembers declarations of the names that matter. */
export class ProgramScope {
  readonly parent: ProgramScope | undefined;
  /** The scope that `var` declares into: that of the function, or the program's. */
  readonly functionScope: ProgramScope;
  /** Functions around this scope. */
  readonly functionDepth: number;
  #names: Set<string> | undefined;

  constructor(parent?: ProgramScope, isFunction = false) {
    this.parent = parent;
    this.functionScope = parent === undefined || isFunction ? this : parent.functionScope;
    this.functionDepth = (parent?.functionDepth ?? 0) + (isFunction ? 1 : 0);
  }

  /** Declares one name. */
  declare(name: string): void {
    if (!moduleNames.has(name)) return;
    this.#names ??= new Set();
    this.#names.add(name);
  }

  /** Declares every name a pattern binds. Patterns nest at most as deep as brackets may. */
  declarePattern(pattern: Pattern): void {
    if (pattern.type === "Identifier") this.declare(pattern.name);
    else if (pattern.type === "AssignmentPattern") this.declarePattern(pattern.left);
    else if (pattern.type === "RestElement") this.declarePattern(pattern.argument);
    else if (pattern.type === "ArrayPattern") {
      for (const element of pattern.elements) if (element !== null) this.declarePattern(element);
    } else if (pattern.type === "ObjectPattern") {
      for (const property of pattern.properties) {
        this.declarePattern(property.type === "Property" ? property.value : property.argument);
      }
    }
  }

  /** True when a name used here is declared here or around. */
  knows(name: string): boolean {
    for (let scope: ProgramScope | undefined = this; scope !== undefined; scope = scope.parent) {
      if (scope.#names?.has(name)) return true;
    }
    return false;
  }
}
