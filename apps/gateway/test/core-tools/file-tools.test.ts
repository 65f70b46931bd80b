import { chmodSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@code-mode/contract";
import { describe, expect, it } from "vitest";
import { TemporaryFolder } from "../temporary-folder.ts";
import { toolContext } from "../tool-context.ts";
import { callCoreTool, coreTool } from "./call-core-tool.ts";

const text = (...parts: string[]): string => readFileSync(join(...parts), "utf8");

describe("write", () => {
  it("CORE-1 creates a file with its folders and replaces a file, leaving no temporary file", async () => {
    using folder = new TemporaryFolder();
    const write = (input: JsonObject) => callCoreTool("write", input, { workspace: folder.path });
    expect(await write({ path: "a/b/c.txt", content: "ä" })).toEqual({ path: "a/b/c.txt", bytes: 2, created: true });
    expect(await write({ path: "./a/b//c.txt", content: "new" })).toEqual({
      path: "a/b/c.txt",
      bytes: 3,
      created: false,
    });
    expect(text(folder.path, "a/b/c.txt")).toBe("new");
    expect(readdirSync(join(folder.path, "a/b"))).toEqual(["c.txt"]);
  });

  it("CORE-1 puts a new file in the place of the old one: who has the old one open keeps it whole", async () => {
    using folder = new TemporaryFolder();
    folder.write("a.txt", "old");
    linkSync(join(folder.path, "a.txt"), join(folder.path, "same.txt"));
    await callCoreTool("write", { path: "a.txt", content: "new" }, { workspace: folder.path });
    expect([text(folder.path, "a.txt"), text(folder.path, "same.txt")]).toEqual(["new", "old"]);
  });

  it("keeps the mode of the file", async () => {
    using folder = new TemporaryFolder();
    chmodSync(folder.write("run.sh", "x"), 0o750);
    await callCoreTool("write", { path: "run.sh", content: "y" }, { workspace: folder.path });
    expect(statSync(join(folder.path, "run.sh")).mode & 0o777).toBe(0o750);
  });

  it.each([
    ["../out.txt", 'contains ".."'],
    ["in/../../out.txt", 'contains ".."'],
    ["..\\out.txt", 'contains ".."'],
    ["/tmp/out.txt", "is absolute"],
    ["~/out.txt", "is absolute"],
    ["link/out.txt", "through a symbolic link"],
    ["link/new/deeper/out.txt", "through a symbolic link"],
    ["file-link", "through a symbolic link"],
    ["dangling", "leads nowhere"],
    ["dangling/x", "leads nowhere"],
    ["a\0b", "NUL"],
    [".", "is the workspace folder itself"],
    ["in", "is a folder"],
    ["in.txt/x", 'goes through "in.txt", which is a file'],
  ])("CORE-1 refuses %j and writes nothing outside", async (path, reason) => {
    using folder = new TemporaryFolder();
    folder.write("outside/secret.txt", "secret");
    folder.write("work/in.txt", "in");
    const root = join(folder.path, "work");
    mkdirSync(join(root, "in"));
    symlinkSync(join(folder.path, "outside"), join(root, "link"));
    symlinkSync(join(folder.path, "outside/secret.txt"), join(root, "file-link"));
    symlinkSync(join(folder.path, "nowhere"), join(root, "dangling"));
    await expect(callCoreTool("write", { path, content: "x" }, { workspace: root })).rejects.toThrow(reason);
    expect(readdirSync(folder.path).sort()).toEqual(["outside", "work"]);
    expect(readdirSync(join(folder.path, "outside"))).toEqual(["secret.txt"]);
    expect(text(folder.path, "outside/secret.txt")).toBe("secret");
    expect(readdirSync(root).filter((name) => name.startsWith(".codemode-"))).toEqual([]);
  });

  it("follows a link that stays inside, and keeps the link", async () => {
    using folder = new TemporaryFolder();
    folder.write("real/a.txt", "old");
    symlinkSync(join(folder.path, "real/a.txt"), join(folder.path, "link"));
    expect(await callCoreTool("write", { path: "link", content: "new" }, { workspace: folder.path })).toMatchObject({
      path: "real/a.txt",
    });
    expect(text(folder.path, "link")).toBe("new");
  });

  it("refuses more than 4 MiB and says what to do", async () => {
    using folder = new TemporaryFolder();
    const content = "x".repeat(4 * 1024 * 1024 + 1);
    await expect(callCoreTool("write", { path: "a", content }, { workspace: folder.path })).rejects.toThrow(
      "a file may get 4194304. Split it",
    );
    expect(existsSync(join(folder.path, "a"))).toBe(false);
  });

  it("writes nothing once the call is aborted", async () => {
    using folder = new TemporaryFolder();
    const signal = AbortSignal.abort(new Error("enough"));
    const writing = callCoreTool("write", { path: "a", content: "x" }, { workspace: folder.path, signal });
    await expect(writing).rejects.toThrow("enough");
    expect(readdirSync(folder.path)).toEqual([]);
  });
});

describe("edit", () => {
  const edit = (folder: TemporaryFolder, input: JsonObject) =>
    callCoreTool("edit", { path: "a.txt", ...input }, { workspace: folder.path });

  it("CORE-1 replaces text that stands there once, character by character", async () => {
    using folder = new TemporaryFolder();
    folder.write("a.txt", "\uFEFFone\r\ntwo $& three\r\n");
    expect(await edit(folder, { oldText: "two", newText: "$&$1" })).toEqual({
      path: "a.txt",
      replacements: 1,
      bytes: 23,
    });
    expect(text(folder.path, "a.txt")).toBe("\uFEFFone\r\n$&$1 $& three\r\n");
  });

  it("names the lines of text that is there more than once, and replaces all when asked to", async () => {
    using folder = new TemporaryFolder();
    folder.write("a.txt", "x\ny\nx\nx\n");
    await expect(edit(folder, { oldText: "x", newText: "z" })).rejects.toThrow(
      'oldText is 3 times in "a.txt" (lines 1, 3, 4)',
    );
    expect(await edit(folder, { oldText: "x", newText: "z", replaceAll: true })).toMatchObject({ replacements: 3 });
    expect(text(folder.path, "a.txt")).toBe("z\ny\nz\nz\n");
  });

  it.each([
    [{ oldText: "zzz", newText: "y" }, "is not in"],
    [{ oldText: "  one", newText: "y" }, "other white space"],
    [{ oldText: "one", newText: "one" }, "are the same"],
    [{ path: "bin", oldText: "a", newText: "b" }, "is not UTF-8 text"],
    [{ path: "missing", oldText: "a", newText: "b" }, "does not exist in the workspace"],
    [{ path: "../a.txt", oldText: "a", newText: "b" }, 'contains ".."'],
  ])("refuses %j and leaves the file alone", async (input, reason) => {
    using folder = new TemporaryFolder();
    folder.write("a.txt", "one\n");
    folder.write("bin", new Uint8Array([97, 0xff]));
    await expect(edit(folder, input)).rejects.toThrow(reason);
    expect(text(folder.path, "a.txt")).toBe("one\n");
  });

  it("CORE-1 loses none of twenty edits of one file at once", async () => {
    using folder = new TemporaryFolder();
    const words = Array.from({ length: 20 }, (_, index) => `word${index};`);
    folder.write("a.txt", words.join(""));
    const tool = coreTool("edit", { workspace: folder.path });
    await Promise.all(
      words.map((word) => tool.execute({ path: "a.txt", oldText: word, newText: "done;" }, toolContext())),
    );
    expect(text(folder.path, "a.txt")).toBe("done;".repeat(20));
  });
});

describe("find", () => {
  const find = async (folder: TemporaryFolder, input: JsonObject): Promise<string[]> =>
    ((await callCoreTool("find", input, { workspace: folder.path })) as { paths: string[] }).paths;

  it("CORE-1 finds names at any depth and paths from the folder it starts in", async () => {
    using folder = new TemporaryFolder();
    for (const name of ["a.ts", "src/b.ts", "src/deep/c.ts", "src/deep/c.js", "node_modules/x/d.ts", ".git/e.ts"])
      folder.write(name, "");
    symlinkSync(join(folder.path, "src"), join(folder.path, "link"));
    expect(await find(folder, { pattern: "*.ts" })).toEqual(["a.ts", "src/b.ts", "src/deep/c.ts"]);
    expect(await find(folder, { pattern: "src/*.ts" })).toEqual(["src/b.ts"]);
    expect(await find(folder, { pattern: "src/**/*.{ts,js}" })).toEqual(["src/b.ts", "src/deep/c.js", "src/deep/c.ts"]);
    expect(await find(folder, { pattern: "**/?.js", path: "src" })).toEqual(["src/deep/c.js"]);
    expect(await find(folder, { pattern: "*", type: "directory" })).toEqual([
      ".git",
      "node_modules",
      "src",
      "src/deep",
    ]);
    expect(await find(folder, { pattern: "link", type: "file" })).toEqual([]);
  });

  it("returns at most limit paths and says that there may be more", async () => {
    using folder = new TemporaryFolder();
    for (let index = 0; index < 5; index++) folder.write(`f${index}`, "");
    const at = (limit: number) => callCoreTool("find", { pattern: "*", limit }, { workspace: folder.path });
    expect(await at(4)).toEqual({ paths: ["f0", "f1", "f2", "f3"], truncated: true });
    expect(await at(5)).toMatchObject({ truncated: false });
  });

  it.each(["../x", "/etc", "link"])("CORE-1 does not look into %j", async (path) => {
    using folder = new TemporaryFolder();
    folder.write("outside/secret.txt", "");
    mkdirSync(join(folder.path, "work"));
    symlinkSync(join(folder.path, "outside"), join(folder.path, "work/link"));
    await expect(
      callCoreTool("find", { pattern: "*", path }, { workspace: join(folder.path, "work") }),
    ).rejects.toThrow("Give a path inside the workspace");
  });
});
