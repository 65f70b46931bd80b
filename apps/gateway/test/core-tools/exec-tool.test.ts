import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TemporaryFolder } from "../temporary-folder.ts";
import { toolContext } from "../tool-context.ts";
import { callCoreTool, coreTool } from "./call-core-tool.ts";

type Report = {
  exitCode?: number;
  signal?: string;
  stdout: string;
  stderr: string;
  truncated: boolean;
  timedOut: boolean;
};

const run = async (folder: TemporaryFolder, command: string, more: object = {}): Promise<Report> =>
  (await callCoreTool("exec", { command, ...more }, { workspace: folder.path })) as Report;

/** True for a process that has ended, also while nobody has collected its exit code. */
function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform === "linux" && /^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return true;
  }
}

async function gone(pid: number): Promise<void> {
  while (!isGone(pid)) await new Promise((resolve) => setImmediate(resolve));
}

describe("exec", () => {
  it("CORE-1 needs an approval by default and is not replay-safe", () => {
    using folder = new TemporaryFolder();
    const tool = coreTool("exec", { workspace: folder.path });
    expect([tool.approval, tool.replaySafe]).toEqual(["always", undefined]);
  });

  it("CORE-1 runs in the workspace, or in a folder of it", async () => {
    using folder = new TemporaryFolder();
    mkdirSync(join(folder.path, "sub"));
    expect(await run(folder, "pwd; echo problem >&2; exit 3")).toMatchObject({
      exitCode: 3,
      stdout: `${folder.path}\n`,
      stderr: "problem\n",
      truncated: false,
      timedOut: false,
    });
    expect((await run(folder, "pwd", { cwd: "sub" })).stdout).toBe(`${folder.path}/sub\n`);
  });

  it.each(["..", "/", "link"])("CORE-1 refuses to run in %j", async (cwd) => {
    using folder = new TemporaryFolder();
    symlinkSync("/", join(folder.path, "link"));
    await expect(run(folder, "pwd", { cwd })).rejects.toThrow("Give a path inside the workspace");
  });

  it("CORE-1 gives the command none of the gateway's secrets", async () => {
    using folder = new TemporaryFolder();
    const env = {
      PATH: process.env.PATH,
      HOME: "/home/user",
      LC_ALL: "C",
      CODEMODE_TOKEN: "canary-1",
      OPENAI_API_KEY: "canary-2",
      NODE_OPTIONS: "--require canary-3",
      GIT_ASKPASS: "canary-4",
      LD_PRELOAD: "",
    };
    const report = (await callCoreTool(
      "exec",
      { command: "env" },
      { workspace: folder.path, exec: { env } },
    )) as Report;
    expect(report.stdout).not.toContain("canary");
    const names = report.stdout
      .trim()
      .split("\n")
      .map((line) => line.split("=")[0]);
    expect(names.filter((name) => !["PWD", "OLDPWD", "SHLVL", "_"].includes(name ?? "")).sort()).toEqual([
      "HOME",
      "LC_ALL",
      "PATH",
    ]);
  });

  it("CORE-1 keeps the start and the end of a long output, whole characters only", async () => {
    using folder = new TemporaryFolder();
    const report = await run(folder, "echo begin; yes ärger | head -c 5000000; echo; echo end");
    expect(Buffer.byteLength(report.stdout)).toBeLessThan(129 * 1024);
    expect(report.stdout).toMatch(/^begin\n/);
    expect(report.stdout).toMatch(/\nend\n$/);
    expect(report.stdout).toMatch(/\[… \d+ bytes left out …\]/);
    expect(report.stdout).not.toContain("\uFFFD");
    expect(report.truncated).toBe(true);
  });

  it("CORE-1 ends the whole process group at the timeout", async () => {
    using folder = new TemporaryFolder();
    const report = await run(folder, "sleep 1000 & echo $!; sleep 1000", { timeoutMs: 300 });
    expect(report).toMatchObject({ signal: "SIGKILL", timedOut: true });
    expect(report.exitCode).toBeUndefined();
    await gone(Number(report.stdout));
  });

  it("CORE-1 ends the whole process group on abort, also what ignores signals", async () => {
    using folder = new TemporaryFolder();
    const stop = new AbortController();
    const tool = coreTool("exec", { workspace: folder.path });
    const command = "trap '' TERM INT HUP; sleep 1000 & echo $! > child.pid; echo $$ > shell.pid; wait";
    const running = tool.execute({ command }, toolContext([], stop.signal)) as Promise<unknown>;
    const pidOf = async (file: string): Promise<number> => {
      for (;;) {
        const found = await callCoreTool("read", { path: file }, { workspace: folder.path }).catch(() => undefined);
        const pid = Number((found as { content: string } | undefined)?.content ?? "");
        if (pid > 0) return pid;
      }
    };
    const pids = [await pidOf("child.pid"), await pidOf("shell.pid")];
    stop.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
    for (const pid of pids) await gone(pid);
  });

  it("CORE-1 ends with its shell: what it left in the background does not stay", async () => {
    using folder = new TemporaryFolder();
    const report = await run(folder, "sleep 1000 & echo $!");
    expect(report).toMatchObject({ exitCode: 0, timedOut: false });
    await gone(Number(report.stdout));
  });

  it("starts nothing for a call that was aborted before", async () => {
    using folder = new TemporaryFolder();
    const signal = AbortSignal.abort(new Error("enough"));
    const running = callCoreTool("exec", { command: "touch a" }, { workspace: folder.path, signal });
    await expect(running).rejects.toThrow("enough");
    expect(await callCoreTool("ls", {}, { workspace: folder.path })).toMatchObject({ entries: [] });
  });

  it("has no standard input to wait for", async () => {
    using folder = new TemporaryFolder();
    expect(await run(folder, "cat")).toMatchObject({ exitCode: 0, stdout: "" });
  });
});
