import { cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

/** Built or bulky things that tests from source do not need. */
const left = new Set([".git", "dist", ".turbo", ".results", "coverage"]);

/** A temporary copy of the repository in which files may be changed; it disposes of itself. */
export type WorkCopy = Disposable & { readonly root: string };

/** Copies the sources of the repository at `root`; third-party packages are linked, never copied. */
export function createWorkCopy(root: string): WorkCopy {
  const copy = mkdtempSync(join(tmpdir(), "code-mode-mutate-"));
  cpSync(root, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !left.has(path.split("/").at(-1) as string) && relative(root, path) !== "node_modules",
  });
  linkModules(join(root, "node_modules"), join(copy, "node_modules"));
  return { root: copy, [Symbol.dispose]: () => rmSync(copy, { recursive: true, force: true }) };
}

/**
 * A folder of links, not one link: what tools write beside the packages stays in the copy. The packages' own
 * `node_modules` are copied as they are, relative links, so that siblings resolve to the copy.
 */
function linkModules(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    if (name.startsWith(".vite") || name === ".cache") continue;
    symlinkSync(join(from, name), join(to, name), lstatSync(join(from, name)).isDirectory() ? "dir" : "file");
  }
}
