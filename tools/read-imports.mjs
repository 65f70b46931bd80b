import { readFileSync } from "node:fs";
import { parseSync } from "vite";

/**
 * Every module a source file names: import and export statements (types too), dynamic imports,
 * `import("x").T` types and `import.meta.resolve("x")`. Gives `{ specifier, line }` in source order.
 */
export function readImports(file) {
  const text = readFileSync(file, "utf8");
  const { program } = parseSync(file, text);
  const found = [];
  visit(program, (node) => {
    const source = namedModule(node);
    if (typeof source?.value !== "string") return;
    found.push({ specifier: source.value, line: text.slice(0, source.start).split("\n").length });
  });
  return found;
}

function visit(node, use) {
  if (Array.isArray(node)) {
    for (const child of node) visit(child, use);
  } else if (node !== null && typeof node === "object") {
    if (typeof node.type === "string") use(node);
    for (const child of Object.values(node)) visit(child, use);
  }
}

function namedModule(node) {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
    case "ImportExpression":
      return node.source;
    case "TSImportType":
      return node.source ?? node.argument?.literal ?? node.argument;
    case "CallExpression":
      return isMetaResolve(node.callee) ? node.arguments[0] : undefined;
    default:
      return undefined;
  }
}

function isMetaResolve(callee) {
  return (
    callee.type === "MemberExpression" && callee.object.type === "MetaProperty" && callee.property.name === "resolve"
  );
}
