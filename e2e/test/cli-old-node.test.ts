import { spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CliFolder, codemodeBinary } from "./cli-process.ts";

/** Makes Node.js say that it is an old one, unless codemode has found another. */
const pretend = `data:text/javascript,${encodeURIComponent(
  'if (!process.env.CODEMODE_NODE_TRIED) Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.9.0" } })',
)}`;

it("an old Node.js hands the command to the one that is installed beside codemode, with its input and exit code", () => {
  using folder = new CliFolder();
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ["--import", pretend, codemodeBinary, ...args], {
      cwd: folder.path,
      env: folder.env,
      input: "return 6 * 7",
      encoding: "utf8",
    });
  const { status, stdout } = run("exec", "-");
  expect([status, stdout]).toEqual([0, "42\n"]);
  expect(run("exec", "--no-such-option").status).toBe(2);
});

it("an old Node.js without another one beside codemode says what to install", () => {
  using folder = new CliFolder();
  const alone = join(folder.path, "codemode.mjs");
  cpSync(codemodeBinary, alone);
  const { status, stderr } = spawnSync(process.execPath, ["--import", pretend, alone, "demo"], {
    cwd: folder.path,
    env: folder.env,
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([1, expect.stringContaining("needs Node.js 22.15 or newer; this is 20.9.0")]);
});
