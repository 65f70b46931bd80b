// Imports go down only. Reads every package's sources, tests and package.json and fails on an arrow that goes
// up or sideways, on an undeclared dependency, on the test kit in src and on a deep import; each fault names
// the file, the arrow and the mend. `--root <folder>` checks another tree.
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { LayerRules, leavesPackage, readSpecifier } from "./layer-rules.mjs";
import { readImports } from "./read-imports.mjs";

const scope = "@code-mode/";
const workspaces = ["packages/*/package.json", "apps/*/package.json", "e2e/package.json", "bench/package.json"];
const here = dirname(fileURLToPath(import.meta.url));

/** Every fault of the tree at `root`, as texts ready to print. */
function checkTree(root) {
  const rules = new LayerRules(readJson(join(here, "layers.json")));
  const rootManifest = readJson(join(root, "package.json"));
  const packages = workspaces
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .sort()
    .map((path) => describePackage(root, path, rootManifest));
  const byName = new Map(packages.map((entry) => [entry.name, entry]));
  return packages.flatMap((entry) => [
    ...checkManifest(entry, rules),
    ...listFiles(entry).flatMap((file) => checkFile(entry, file, { root, rules, byName })),
  ]);
}

function describePackage(root, path, rootManifest) {
  const manifest = readJson(join(root, path));
  const folder = dirname(join(root, path));
  const shipped = { ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.optionalDependencies };
  const inTests = { ...shipped, ...manifest.devDependencies, ...rootManifest.devDependencies };
  const name = manifest.name.slice(scope.length);
  return { name, folder, path, manifest, shipped, inTests, exports: manifest.exports ?? {} };
}

function listFiles({ folder }) {
  return globSync("**/*.{ts,mts,js,mjs}", {
    cwd: folder,
    exclude: (path) => /(^|\/)(node_modules|dist|fixtures|\.results)$/.test(path),
  })
    .filter((path) => !/(^|\/)(dist|node_modules|fixtures)\//.test(path))
    .sort();
}

function checkManifest({ name, path, manifest, shipped }, rules) {
  if (!rules.knows(name))
    return [report(path, { what: `${scope}${name} has no place`, mend: "add it to tools/layers.json" })];
  const faults = [];
  for (const [dependency, inTests] of declared(manifest, shipped)) {
    const read = readSpecifier(dependency);
    const fault =
      read.kind === "own"
        ? rules.arrowFault(name, read.short, { inTests })
        : inTests
          ? undefined
          : rules.externalFault(name, dependency);
    if (fault) faults.push(report(path, fault));
  }
  return faults;
}

function declared(manifest, shipped) {
  return [
    ...Object.keys(shipped).map((name) => [name, false]),
    ...Object.keys(manifest.devDependencies ?? {}).map((name) => [name, true]),
  ];
}

function checkFile(entry, path, { root, rules, byName }) {
  const file = join(entry.folder, path);
  const inTests = entry.manifest.private === true || !/^(src|bin)\//.test(path);
  return readImports(file).flatMap(({ specifier, line }) => {
    const fault = importFault({ entry, file, specifier, inTests, rules, byName });
    return fault ? [report(`${relative(root, file)}:${line}`, fault)] : [];
  });
}

function importFault({ entry, file, specifier, inTests, rules, byName }) {
  const read = readSpecifier(specifier);
  if (read.kind === "builtin") return undefined;
  if (read.kind === "relative")
    return leavesPackage(specifier, file, entry.folder) ? leavingFault(specifier) : undefined;
  const fault = read.kind === "own" ? rules.arrowFault(entry.name, read.short, { inTests }) : undefined;
  if (fault) return fault;
  if (read.kind === "own" && read.short !== entry.name && !exported(byName.get(read.short), read.subpath))
    return deepFault(specifier, read, byName.get(read.short));
  const names = inTests ? entry.inTests : entry.shipped;
  if (read.name in names || read.short === entry.name) return undefined;
  return undeclaredFault(entry, read, inTests);
}

function exported(target, subpath) {
  return target !== undefined && subpath in target.exports;
}

function leavingFault(specifier) {
  return {
    what: `the relative import "${specifier}" leaves the package`,
    mend: `import the other package by its name (${scope}<name>) and declare it in package.json`,
  };
}

function deepFault(specifier, { name }, target) {
  const open = Object.keys(target?.exports ?? {}).map((subpath) => name + subpath.slice(1));
  return {
    what: `the deep import "${specifier}" is not in the exports of ${name} (open: ${open.join(", ")})`,
    mend: `import from "${name}", and export the name there if it is meant for others`,
  };
}

function undeclaredFault(entry, { kind, name }, inTests) {
  const section = inTests ? "devDependencies" : "dependencies";
  const version = kind === "own" ? "workspace:*" : "catalog:";
  return {
    what: `${scope}${entry.name} → ${name} is not declared`,
    mend: `add "${name}": "${version}" to ${section} of ${entry.path} and run pnpm install`,
  };
}

function report(where, { what, mend }) {
  return `${where}\n  wrong: ${what}\n  mend:  ${mend}`;
}

function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

const { values } = parseArgs({ options: { root: { type: "string", default: join(here, "..") } } });
const root = resolve(values.root);
if (!existsSync(join(root, "package.json")))
  throw new Error(`${root} holds no package.json; give the repository's root`);
const faults = checkTree(root);
for (const fault of faults) console.error(`${fault}\n`);
console.log(faults.length === 0 ? "layers: every arrow goes down" : `layers: ${faults.length} wrong arrows`);
process.exitCode = faults.length === 0 ? 0 : 1;
