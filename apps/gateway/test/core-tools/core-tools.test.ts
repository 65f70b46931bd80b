import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CodeModeTool, JsonValue } from "@code-mode/contract";
import { expect, it } from "vitest";
import { createCoreTools } from "../../src/core-tools/core-tools.ts";
import { createGrepTool } from "../../src/core-tools/grep-tool.ts";
import { Workspace } from "../../src/core-tools/workspace.ts";
import { TemporaryFolder } from "../temporary-folder.ts";
import { toolContext } from "../tool-context.ts";

function call(root: string, name: string, input: JsonValue): Promise<unknown> {
  const tool = createCoreTools({ workspace: root }).find((candidate) => candidate.name === name) as CodeModeTool;
  return Promise.resolve(tool.execute(input, toolContext()));
}

it.each(["read", "ls", "grep"])("%s refuses every way out of the workspace", async (name) => {
  using folder = new TemporaryFolder();
  folder.write("outside/secret.txt", "secret");
  folder.write("work/in.txt", "in");
  const root = join(folder.path, "work");
  symlinkSync(join(folder.path, "outside"), join(root, "link"));
  symlinkSync(join(folder.path, "outside/secret.txt"), join(root, "file-link"));
  symlinkSync(join(folder.path, "nowhere"), join(root, "dangling"));
  const attempt = (path: string): Promise<unknown> => call(root, name, { path, pattern: "secret" });
  await expect(attempt("../outside/secret.txt")).rejects.toThrow('contains ".."');
  await expect(attempt("in/../../outside")).rejects.toThrow('contains ".."');
  await expect(attempt("..\\outside")).rejects.toThrow('contains ".."');
  await expect(attempt(join(folder.path, "outside"))).rejects.toThrow("is absolute");
  await expect(attempt("~/x")).rejects.toThrow("is absolute");
  await expect(attempt("link/secret.txt")).rejects.toThrow("through a symbolic link");
  await expect(attempt("file-link")).rejects.toThrow("through a symbolic link");
  await expect(attempt("dangling")).rejects.toThrow("leads nowhere");
  await expect(attempt("a\0b")).rejects.toThrow("NUL");
  await expect(attempt("missing")).rejects.toThrow("does not exist in the workspace");
});

it("a link that stays inside the workspace works", async () => {
  using folder = new TemporaryFolder();
  folder.write("real/in.txt", "in");
  symlinkSync(join(folder.path, "real"), join(folder.path, "link"));
  expect(await call(folder.path, "read", { path: "link/in.txt" })).toMatchObject({
    path: "real/in.txt",
    content: "in",
  });
});

it("read returns lines from offset to limit and says how to go on", async () => {
  using folder = new TemporaryFolder();
  folder.write("a.txt", "1\n2\n3\n4\n");
  const read = (input: object): Promise<unknown> => call(folder.path, "read", { path: "a.txt", ...input });
  expect(await read({})).toEqual({ path: "a.txt", content: "1\n2\n3\n4\n", startLine: 1, lines: 4, truncated: false });
  expect(await read({ offset: 2, limit: 2 })).toEqual({
    path: "a.txt",
    content: "2\n3\n",
    startLine: 2,
    lines: 2,
    truncated: true,
    nextOffset: 4,
  });
  expect(await read({ offset: 4 })).toMatchObject({ content: "4\n", truncated: false });
  expect(await read({ offset: 9 })).toMatchObject({ content: "", lines: 0, truncated: false });
});

it("read returns at most 256 KiB, ends at a whole line and pages through all of a file", async () => {
  using folder = new TemporaryFolder();
  const lines = Array.from({ length: 9_000 }, (_, index) => `${index} ${"ä".repeat(30)}\n`);
  folder.write("big.txt", lines.join(""));
  let [content, offset] = ["", 1];
  for (let more = true; more; ) {
    const page = (await call(folder.path, "read", { path: "big.txt", offset })) as {
      content: string;
      truncated: boolean;
      nextOffset: number;
    };
    expect(Buffer.byteLength(page.content)).toBeLessThanOrEqual(256 * 1024);
    content += page.content;
    offset = page.nextOffset;
    more = page.truncated;
  }
  expect(content).toBe(lines.join(""));
});

it("read cuts a line that is longer than a page at a whole character", async () => {
  using folder = new TemporaryFolder();
  folder.write("long.txt", `x${"ä".repeat(200_000)}`);
  const page = (await call(folder.path, "read", { path: "long.txt" })) as { content: string; truncated: boolean };
  expect(page.content).toMatch(/^xä+$/);
  expect(page.truncated).toBe(true);
});

it("read refuses folders and binary files and says what to use", async () => {
  using folder = new TemporaryFolder();
  folder.write("dir/x", "x");
  folder.write("bin", new Uint8Array([1, 0, 2]));
  await expect(call(folder.path, "read", { path: "dir" })).rejects.toThrow("is a folder: use ls");
  await expect(call(folder.path, "read", { path: "bin" })).rejects.toThrow("binary");
  await expect(call(folder.path, "ls", { path: "bin" })).rejects.toThrow("is a file: use read");
});

it("ls names entries by type, sorted, and follows no link", async () => {
  using folder = new TemporaryFolder();
  folder.write("b.txt", "abc");
  folder.write("a/x", "");
  symlinkSync("/", join(folder.path, "c"));
  expect(await call(folder.path, "ls", {})).toEqual({
    path: ".",
    entries: [
      { name: "a", type: "directory" },
      { name: "b.txt", type: "file", size: 3 },
      { name: "c", type: "symlink" },
    ],
    truncated: false,
  });
});

it("ls lists at most 1,000 entries", async () => {
  using folder = new TemporaryFolder();
  for (let index = 0; index < 1_001; index++) writeFileSync(join(folder.path, `f${index}`), "");
  const listed = (await call(folder.path, "ls", {})) as { entries: unknown[]; truncated: boolean };
  expect([listed.entries.length, listed.truncated]).toEqual([1_000, true]);
});

it("grep finds lines and skips node_modules, .git, binaries and links", async () => {
  using folder = new TemporaryFolder();
  folder.write("src/a.ts", "one\nneedle here\r\nTwo Needle\n");
  folder.write("node_modules/x/a.js", "needle");
  folder.write(".git/x", "needle");
  folder.write("bin", new Uint8Array([...Buffer.from("needle"), 0]));
  symlinkSync(join(folder.path, "src"), join(folder.path, "link"));
  expect(await call(folder.path, "grep", { pattern: "needle" })).toEqual({
    matches: [{ path: "src/a.ts", line: 2, text: "needle here" }],
    filesSearched: 1,
    truncated: false,
  });
  const both = (await call(folder.path, "grep", { pattern: "^.*needle", ignoreCase: true, path: "src" })) as {
    matches: unknown[];
  };
  expect(both.matches).toHaveLength(2);
});

it("grep returns at most limit matches and says that there may be more", async () => {
  using folder = new TemporaryFolder();
  folder.write("a.txt", "x\n".repeat(10));
  const at = (limit: number): Promise<unknown> => call(folder.path, "grep", { pattern: "x", limit });
  expect(await at(9)).toMatchObject({ truncated: true });
  expect(await at(10)).toMatchObject({ truncated: false });
});

it("grep names the mistake in a pattern", async () => {
  using folder = new TemporaryFolder();
  await expect(call(folder.path, "grep", { pattern: "(" })).rejects.toThrow("pattern: Invalid regular expression");
});

it("grep ends a pattern that would take exponential time, and the event loop goes on meanwhile", async () => {
  using folder = new TemporaryFolder();
  folder.write("a.txt", `${"a".repeat(60)}!`);
  const tool = createGrepTool(new Workspace(folder.path), { searchMs: 50, hardMs: 100 });
  let turns = 0;
  const ticking = setInterval(() => turns++, 5);
  await expect(tool.execute({ pattern: "^(a+)+$" }, toolContext())).rejects.toThrow("took too long");
  clearInterval(ticking);
  expect(turns).toBeGreaterThan(0);
});

it("grep ends when the call is aborted", async () => {
  using folder = new TemporaryFolder();
  folder.write("a.txt", `${"a".repeat(60)}!`);
  const [tool] = createCoreTools({ workspace: folder.path }).filter(({ name }) => name === "grep");
  const stop = new AbortController();
  const searching = tool?.execute({ pattern: "^(a+)+$" }, toolContext([], stop.signal));
  stop.abort(new Error("enough"));
  await expect(searching).rejects.toThrow("enough");
});
