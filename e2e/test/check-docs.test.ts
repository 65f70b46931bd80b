import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let tree: string;

beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), "code-mode-docs-"));
});

afterEach(() => {
  rmSync(tree, { recursive: true, force: true });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), text);
}

function checkDocs(...args: string[]): { readonly status: number | null; readonly text: string } {
  const script = join(import.meta.dirname, "../../tools/check-docs.mjs");
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, "--root", tree, ...args], {
    encoding: "utf8",
  });
  return { status, text: stdout + stderr };
}

function fence(info: string, code: string): string {
  return `\`\`\`${info}\n${code}\n\`\`\`\n`;
}

describe("check-docs", () => {
  it("DOC-1 passes a page whose links lead to files and headings", () => {
    write("other.md", "# The `exec` tool\n");
    write("page.md", "# Top\n[a](other.md) [b](./other.md#the-exec-tool) [c](#top) [d](https://example.com/none)\n");
    expect(checkDocs()).toEqual({ status: 0, text: "docs: 0 faults on 2 pages\n" });
  });

  it("DOC-1 fails on a link that leads to no file, with page and line", () => {
    write("page.md", "# Top\n\nSee [a](missing.md).\n");
    const { status, text } = checkDocs();
    expect(status).toBe(1);
    expect(text).toContain("page.md:3 the link (missing.md) leads to no file");
  });

  it("DOC-1 fails on a link that leads to no heading or out of the repository", () => {
    write("page.md", "# Top\n[a](#gone) and [b](../outside.md)\n");
    const { status, text } = checkDocs();
    expect(status).toBe(1);
    expect(text).toContain('no heading "#gone"');
    expect(text).toContain("leaves the repository");
  });

  it("DOC-1 takes what looks like a link inside code for code", () => {
    write("page.md", `${fence("md", "[a](missing.md)")}and \`tools[0](missing)\` too\n`);
    expect(checkDocs().status).toBe(0);
  });

  it("DOC-1 runs the blocks marked as runnable and no others", () => {
    write("page.md", fence("ts runnable", "const one: number = 1;\nconsole.log(one + 1);") + fence("ts", "throw 1;"));
    expect(checkDocs().status).toBe(0);
    write("page.md", `Text\n\n${fence("js runnable", 'throw new TypeError("broken example");')}`);
    const { status, text } = checkDocs();
    expect(status).toBe(1);
    expect(text).toContain("page.md:3 the runnable block ended with exit code 1");
    expect(text).toContain("broken example");
  });

  it("DOC-1 compares what a runnable block prints with the output the page shows", () => {
    const example = fence("js runnable", "console.log(6 * 7);");
    write("page.md", example + fence("text output", "42"));
    expect(checkDocs().status).toBe(0);
    write("page.md", example + fence("text output", "43"));
    const { status, text } = checkDocs();
    expect(status).toBe(1);
    expect(text).toContain("printed\n42\nbut the page says\n43");
  });

  it("DOC-1 fails on a stale generated table, and --write refreshes it", () => {
    write(
      "packages/contract/dist/index.js",
      'export const codeModeLimits = { timeoutMs: { default: 10000, min: 100, max: 60000, unit: "ms", description: "d" } };',
    );
    write("page.md", "<!-- generated: limits -->\n\nold\n\n<!-- /generated -->\n");
    const { status, text } = checkDocs();
    expect(status).toBe(1);
    expect(text).toContain('page.md:1 the generated part "limits" is stale: run pnpm docs:write');
    expect(checkDocs("--write").status).toBe(0);
    expect(readFileSync(join(tree, "page.md"), "utf8")).toContain(
      "| `timeoutMs` | 10,000 ms | 100 ms – 60,000 ms | d |",
    );
    expect(checkDocs().status).toBe(0);
  });

  it("DOC-1 fails when an error code has no entry in docs/errors.md or an entry has no code", () => {
    write("package.json", '{ "type": "module" }');
    write(
      "packages/contract/src/error-codes.ts",
      'export const codeModeErrorCodes = ["timeout", "aborted"] as const;\n',
    );
    write("docs/errors.md", "# Errors\n\n## `timeout`\n\n## `vanished`\n");
    const { status, text } = checkDocs();
    expect(status).toBe(1);
    expect(text).toContain("docs/errors.md has no entry for aborted");
    expect(text).toContain("docs/errors.md has an entry for vanished");
  });
});
