import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const repository = join(import.meta.dirname, "../..");
let tree: string;

beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), "code-mode-layers-"));
  for (const part of ["package.json", "packages", "apps"]) {
    cpSync(join(repository, part), join(tree, part), {
      recursive: true,
      filter: (path) => !/[/\\](node_modules|dist|\.turbo)$/.test(path),
    });
  }
});

afterEach(() => {
  rmSync(tree, { recursive: true, force: true });
});

function checkLayers(root: string): { readonly status: number | null; readonly text: string } {
  const script = join(repository, "tools/check-layers.mjs");
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, "--root", root], { encoding: "utf8" });
  return { status, text: stdout + stderr };
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), text);
}

function declare(path: string, dependency: string): void {
  const manifest = JSON.parse(readFileSync(join(tree, path), "utf8"));
  manifest.dependencies = { ...manifest.dependencies, [dependency]: "workspace:*" };
  write(path, JSON.stringify(manifest));
}

describe("check-layers", () => {
  it("passes on this repository", () => {
    expect(checkLayers(repository)).toEqual({ status: 0, text: "layers: every arrow goes down\n" });
  });

  it("passes on an untouched copy, so that each fault below is the one we drew", () => {
    expect(checkLayers(tree).status).toBe(0);
  });

  it("refuses an arrow that goes up and prints where, which and the mend", () => {
    write("packages/bridge/src/wrong.ts", 'import type { X } from "@code-mode/runtime";\nexport type Y = X;\n');
    const { status, text } = checkLayers(tree);
    expect(status).toBe(1);
    expect(text).toContain("packages/bridge/src/wrong.ts:1");
    expect(text).toContain("@code-mode/bridge → @code-mode/runtime goes up (L1 → L3)");
    expect(text).toContain("move the type to @code-mode/contract or take it as a port");
  });

  it("refuses an arrow between packages of one layer, dynamic and type imports included", () => {
    write("packages/catalog/src/wrong.ts", 'export const later = () => import("@code-mode/transform");\n');
    write("packages/mcp/src/wrong.ts", 'export type Y = import("@code-mode/surface").X;\n');
    const { status, text } = checkLayers(tree);
    expect(status).toBe(1);
    expect(text).toContain("@code-mode/catalog → @code-mode/transform goes sideways (both L2)");
    expect(text).toContain("@code-mode/mcp → @code-mode/surface goes sideways (both L3)");
    expect(text).toContain("let @code-mode/runtime fill it");
    expect(text).toContain("let the gateway fill it");
  });

  it("refuses a wrong arrow that only package.json declares", () => {
    declare("packages/snapshots/package.json", "@code-mode/supervisor");
    const { status, text } = checkLayers(tree);
    expect(status).toBe(1);
    expect(text).toContain("packages/snapshots/package.json");
    expect(text).toContain("@code-mode/snapshots → @code-mode/supervisor goes sideways");
  });

  it("refuses an import that package.json does not declare and names the section to mend", () => {
    write("packages/surface/src/wrong.ts", 'import { parse } from "acorn";\nexport const twice = parse;\n');
    write("packages/snapshots/src/wrong.ts", 'export { toJsonSafe } from "@code-mode/bridge";\n');
    const { status, text } = checkLayers(tree);
    expect(status).toBe(1);
    expect(text).toContain("@code-mode/surface → acorn is not declared");
    expect(text).toContain('add "acorn": "catalog:" to dependencies of packages/surface/package.json');
    expect(text).toContain('add "@code-mode/bridge": "workspace:*" to dependencies of packages/snapshots/package.json');
  });

  it("refuses the test kit in src and leaves it to tests", () => {
    write("packages/snapshots/test/right.test.ts", 'import "@code-mode/testkit";\n');
    expect(checkLayers(tree).status).toBe(0);
    write("packages/snapshots/src/wrong.ts", 'import "@code-mode/testkit";\n');
    const { status, text } = checkLayers(tree);
    expect(status).toBe(1);
    expect(text).toContain("the test kit is for tests only");
    expect(text).toContain("import it from test/ only");
  });

  it("refuses a deep import and a relative import that leaves the package", () => {
    write("packages/catalog/src/deep.ts", 'export { x } from "@code-mode/contract/src/error.ts";\n');
    write("packages/catalog/src/leaves.ts", 'export { x } from "../../bridge/src/index.ts";\n');
    const { status, text } = checkLayers(tree);
    expect(status).toBe(1);
    expect(text).toContain("is not in the exports of @code-mode/contract (open: @code-mode/contract");
    expect(text).toContain('the relative import "../../bridge/src/index.ts" leaves the package');
  });

  it("refuses a new dependency of contract, bridge and supervisor without a decision record", () => {
    declare("packages/bridge/package.json", "left-pad");
    const { status, text } = checkLayers(tree);
    expect(status).toBe(1);
    expect(text).toContain("@code-mode/bridge takes a new dependency: left-pad");
    expect(text).toContain("docs/decisions/");
  });
});
