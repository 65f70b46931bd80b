import { readdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { grepFiles } from "../../src/core-tools/grep-files.ts";
import { openInside } from "../../src/core-tools/open-inside.ts";
import { replaceFile } from "../../src/core-tools/replace-file.ts";
import { Workspace } from "../../src/core-tools/workspace.ts";
import { WorkspaceFolder } from "../../src/core-tools/workspace-folder.ts";
import { TemporaryFolder } from "../temporary-folder.ts";

const { signal } = new AbortController();
const bytes = Buffer.from("new");

/** A workspace with `dir/a.txt`, and a folder of the same shape outside it. */
function setUp(folder: TemporaryFolder): { root: string; swap(): void } {
  folder.write("outside/a.txt", "secret");
  const root = join(folder.path, "work");
  folder.write("work/dir/a.txt", "in");
  return {
    root,
    swap() {
      renameSync(join(root, "dir"), join(root, "moved"));
      symlinkSync(join(folder.path, "outside"), join(root, "dir"));
    },
  };
}

describe("a path that is swapped after it was checked", () => {
  it("CORE-1 a folder that became a link outside is not read through", async () => {
    using folder = new TemporaryFolder();
    const { root, swap } = setUp(folder);
    const workspace = new Workspace(root);
    const place = await workspace.resolve("dir/a.txt");
    swap();
    await expect(openInside(workspace, place, "file")).rejects.toThrow("leads out of the workspace now");
  });

  it("CORE-1 a file that became a link is not opened", async () => {
    using folder = new TemporaryFolder();
    const { root } = setUp(folder);
    const workspace = new Workspace(root);
    const place = await workspace.resolve("dir/a.txt");
    renameSync(join(root, "dir/a.txt"), join(root, "dir/b.txt"));
    symlinkSync(join(folder.path, "outside/a.txt"), join(root, "dir/a.txt"));
    await expect(openInside(workspace, place, "file")).rejects.toThrow("became a symbolic link");
  });

  it("CORE-1 a folder that became a link outside is not listed", async () => {
    using folder = new TemporaryFolder();
    const { root, swap } = setUp(folder);
    const workspace = new Workspace(root);
    const place = await workspace.resolve("dir");
    swap();
    await expect(WorkspaceFolder.open(workspace, place)).rejects.toThrow(/symbolic link|leads out|is a file/);
  });

  it("CORE-1 nothing is written through a folder that became a link outside", async () => {
    using folder = new TemporaryFolder();
    const { root, swap } = setUp(folder);
    const workspace = new Workspace(root);
    const targets = [await workspace.resolveTarget("dir/a.txt"), await workspace.resolveTarget("dir/new/x/b.txt")];
    swap();
    for (const target of targets)
      await expect(replaceFile(workspace, target, { bytes, signal })).rejects.toMatchObject({ code: "invalid_input" });
    expect(readdirSync(join(folder.path, "outside"))).toEqual(["a.txt"]);
    expect(readFileSync(join(folder.path, "outside/a.txt"), "utf8")).toBe("secret");
  });

  it("CORE-1 a missing folder that appears as a link outside is not written through", async () => {
    using folder = new TemporaryFolder();
    const { root } = setUp(folder);
    const workspace = new Workspace(root);
    const target = await workspace.resolveTarget("later/deep/b.txt");
    symlinkSync(join(folder.path, "outside"), join(root, "later"));
    await expect(replaceFile(workspace, target, { bytes, signal })).rejects.toMatchObject({ code: "invalid_input" });
    expect(readdirSync(join(folder.path, "outside"))).toEqual(["a.txt"]);
  });

  it("CORE-1 an open folder that is moved away keeps its entries to itself", async () => {
    using folder = new TemporaryFolder();
    const { root, swap } = setUp(folder);
    const workspace = new Workspace(root);
    await using opened = await WorkspaceFolder.open(workspace, await workspace.resolve("dir"));
    swap();
    if (process.platform === "linux") expect(readFileSync(opened.at("a.txt"), "utf8")).toBe("in");
    else expect(opened.at("a.txt")).toContain("dir");
  });

  it("CORE-1 grep skips files that a swapped folder would lead to", () => {
    using folder = new TemporaryFolder();
    const { root, swap } = setUp(folder);
    swap();
    const job = {
      root,
      closed: [],
      start: join(root, "dir"),
      shown: "dir",
      pattern: ".",
      flags: "u",
      limit: 9,
      budgetMs: 9_000,
    };
    expect(grepFiles(job)).toMatchObject({ matches: [], filesSearched: 0 });
  });

  it("CORE-1 an edit does not undo what somebody else wrote meanwhile", async () => {
    using folder = new TemporaryFolder();
    const { root } = setUp(folder);
    const workspace = new Workspace(root);
    const target = await workspace.resolveTarget("dir/a.txt");
    await using handle = await openInside(workspace, await workspace.resolve("dir/a.txt"), "file");
    const expected = await handle.stat({ bigint: true });
    folder.write("work/dir/a.txt", "longer than before");
    await expect(replaceFile(workspace, target, { bytes, expected, signal })).rejects.toThrow(
      "changed by somebody else",
    );
    expect(readFileSync(join(root, "dir/a.txt"), "utf8")).toBe("longer than before");
    expect(readdirSync(join(root, "dir"))).toEqual(["a.txt"]);
  });
});
