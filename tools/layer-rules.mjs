import { isBuiltin } from "node:module";
import { relative, resolve, sep } from "node:path";

const scope = "@code-mode/";

/** The house as data: which package stands where and what each may import. Built from `tools/layers.json`. */
export class LayerRules {
  #levels = new Map();
  #table;

  constructor(table) {
    this.#table = table;
    table.layers.forEach((names, level) => {
      for (const name of names) this.#levels.set(name, level);
    });
  }

  /** True for a package that `layers.json` gives a place. */
  knows(name) {
    return this.#levels.has(name) || name in this.#table.outside;
  }

  isTestOnly(name) {
    return this.#table.testOnly.includes(name);
  }

  /** What is wrong with the arrow `from → to`, with its mend; undefined when it may be drawn. */
  arrowFault(from, to, { inTests }) {
    if (from === to) return undefined;
    if (!this.knows(to)) return { what: `${arrow(from, to)} names no package of this house`, mend: place(to) };
    if (from in this.#table.outside) return this.#outsideFault(from, to);
    if (this.isTestOnly(to)) return inTests ? this.#cycleFault(from, to) : testOnlyFault(from, to);
    const [own, other] = [this.#levels.get(from), this.#levels.get(to)];
    if (other !== undefined && other < own) return undefined;
    const way = other === own ? `sideways (both L${own})` : `up (L${own} → ${other === undefined ? to : `L${other}`})`;
    return {
      what: `${arrow(from, to)} goes ${way}`,
      mend: `move the type to ${scope}contract or take it as a port: declare the interface in packages/contract/src and let ${own === other && own < 3 ? `${scope}runtime` : "the gateway"} fill it`,
    };
  }

  /** The package `name` may use from npm without a decision record; undefined when it is free to choose. */
  externalFault(name, external) {
    const allowed = this.#table.allowedExternals[name];
    if (allowed === undefined || allowed.includes(external)) return undefined;
    return {
      what: `${scope}${name} takes a new dependency: ${external}`,
      mend: `do without it, or give the reason in docs/decisions/ and add it to allowedExternals in tools/layers.json`,
    };
  }

  #outsideFault(from, to) {
    const allowed = this.#table.outside[from];
    if (allowed.includes(to)) return undefined;
    return {
      what: `${arrow(from, to)} is not open to ${from}, which may import ${allowed.map((name) => scope + name).join(", ")}`,
      mend:
        from === "e2e"
          ? "drive the built gateway (CLI, HTTP or MCP) instead of importing a package"
          : `take what you need as a port of ${scope}contract`,
    };
  }

  /** Packages below the test kit cannot use it: it is built on them. */
  #cycleFault(from, to) {
    if (!this.#table.outside[to].includes(from)) return undefined;
    return {
      what: `${arrow(from, to)} closes a circle: ${to} imports ${from}`,
      mend: "write the fake inside the test",
    };
  }
}

function arrow(from, to) {
  return `${scope}${from} → ${scope}${to}`;
}

function place(name) {
  return `give "${name}" its place in tools/layers.json, or mend the name`;
}

function testOnlyFault(from, to) {
  return {
    what: `${arrow(from, to)} from src: the test kit is for tests only`,
    mend: "import it from test/ only; what the product needs moves to the package that owns it",
  };
}

/** Splits a module specifier into what the rules speak of. */
export function readSpecifier(specifier) {
  if (specifier.startsWith(".")) return { kind: "relative" };
  if (isBuiltin(specifier) || /^(data|file|https?):/.test(specifier)) return { kind: "builtin" };
  const parts = specifier.split("/");
  const name = parts.slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
  const subpath = `.${specifier.slice(name.length)}`;
  if (name.startsWith(scope)) return { kind: "own", name, short: name.slice(scope.length), subpath };
  return { kind: "external", name, subpath };
}

/** True when a relative import of `file` leaves the folder of its package. */
export function leavesPackage(specifier, file, packageFolder) {
  const target = relative(packageFolder, resolve(file, "..", specifier));
  return target === ".." || target.startsWith(`..${sep}`);
}
