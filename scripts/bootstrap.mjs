// Runs on any Node >= 18 with npm, before anything is installed: brings pnpm and the
// project's dependencies (Node 24 among them), then runs the asked pnpm command.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const bin = join(root, "node_modules", ".bin");
const stamp = join(root, "node_modules", ".bootstrap");
const lock = createHash("sha256")
  .update(readFileSync(join(root, "pnpm-lock.yaml")))
  .digest("hex");

/** What npm tells about its own run goes; the user's settings (npm_config_*: cache, registry, proxy) stay in force. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([key]) => !/^(npm_(package|lifecycle|command|execpath|node_execpath)|INIT_CWD)/i.test(key),
  ),
);
env.PATH = [bin, env.PATH].join(delimiter);
env.TURBO_TELEMETRY_DISABLED = "1";
env.DO_NOT_TRACK = "1";

function run(command, args) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    env,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== lock) {
  const install = ["install", "--frozen-lockfile", "--prefer-offline"];
  if (existsSync(join(bin, "pnpm"))) run("pnpm", install);
  else run("npx", ["--yes", packageManager, ...install]);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, lock);
}
const args = process.argv.slice(2);
if (args.length > 0) run("pnpm", args);
