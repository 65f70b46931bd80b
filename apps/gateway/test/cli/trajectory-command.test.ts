import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { validateTrajectory } from "@code-mode/telemetry";
import { expect, it } from "vitest";
import { openTranscriptStore } from "../../src/store/open-transcript-store.ts";
import { SessionLog } from "../../src/store/session-log.ts";
import { TemporaryFolder } from "../temporary-folder.ts";

const cli = join(import.meta.dirname, "../../src/cli.ts");

function codemode(folder: TemporaryFolder, ...args: string[]) {
  const node = ["--conditions=@code-mode/source", cli, ...args, "--config", join(folder.path, "codemode.config.json5")];
  const { status, stdout, stderr } = spawnSync(process.execPath, node, { encoding: "utf8", cwd: folder.path });
  return { status, stdout, stderr };
}

async function openSessions(folder: TemporaryFolder, ...ids: string[]): Promise<SessionLog> {
  folder.write("codemode.config.json5", '{ gateway: { dataDir: "./data" } }');
  const log = new SessionLog(openTranscriptStore({ dataDir: join(folder.path, "data") }));
  for (const id of ids) {
    log.open(id, "main");
    log.record(id, { type: "turn_started", agentRunId: "r", agentId: "main", message: "<go>" });
    log.record(id, { type: "turn_ended", agentRunId: "r", status: "completed", text: "", durationMs: 1 });
  }
  await log.flush();
  return log;
}

it("CLI-8 a session is exported as JSON Lines while the gateway has its folder, and after it was closed", async () => {
  using folder = new TemporaryFolder();
  const log = await openSessions(folder, "one");
  const running = codemode(folder, "trajectory", "one");
  expect([running.status, running.stderr]).toEqual([0, ""]);
  expect(validateTrajectory(running.stdout.split("\n"))).toEqual([]);
  expect(running.stdout.split("\n").map((line) => line && JSON.parse(line).type)).toEqual([
    "turn_started",
    "turn_ended",
    "",
  ]);
  log.record("one", { type: "text", agentRunId: "r", text: "more" });
  await log.flush();
  expect(codemode(folder, "trajectory", "one").stdout.split("\n")).toHaveLength(4);
  await log[Symbol.asyncDispose]();
  expect(codemode(folder, "trajectory", "one").stdout.split("\n")).toHaveLength(4);
});

it("CLI-8 --format html --out writes one page that only this user may read", async () => {
  using folder = new TemporaryFolder();
  await (await openSessions(folder, "one"))[Symbol.asyncDispose]();
  const out = join(folder.path, "one.html");
  const { status, stdout, stderr } = codemode(folder, "trajectory", "one", "--format", "html", "--out", out);
  expect([status, stdout]).toEqual([0, ""]);
  expect(stderr).toContain(`2 events of session one are in ${out}`);
  expect(readFileSync(out, "utf8")).toMatch(/^<!doctype html>[\s\S]*&lt;go&gt;/);
  expect(statSync(out).mode & 0o777).toBe(0o600);
  const denied = codemode(folder, "trajectory", "one", "--out", join(folder.path, "none", "x"));
  expect([denied.status, denied.stderr]).toEqual([2, expect.stringContaining("--out: ")]);
});

it("CLI-8 an unknown session is refused with the nearest and the known ones, and so is a folder without transcripts", async () => {
  using folder = new TemporaryFolder();
  await (await openSessions(folder, "alpha", "beta"))[Symbol.asyncDispose]();
  const unknown = codemode(folder, "trajectory", "alpa");
  expect([unknown.status, unknown.stdout]).toEqual([2, ""]);
  expect(unknown.stderr).toMatch(/there is no session "alpa"\. Did you mean .*alpha.* Sessions: beta, alpha\./);
  using empty = new TemporaryFolder();
  empty.write("codemode.config.json5", "{}");
  const none = codemode(empty, "trajectory", "alpha");
  expect([none.status, none.stderr]).toEqual([2, expect.stringContaining("holds no transcripts")]);
  expect(codemode(empty, "trajectory", "alpha", "--format", "pdf").status).toBe(2);
});
