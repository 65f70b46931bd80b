import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Environment } from "./substitute-env.ts";

const fileNames = ["codemode.config.json5", "codemode.config.json", "codemode.config.yaml"];

/** Where a configuration may come from. */
export type FindConfigOptions = {
  readonly explicit?: string | undefined;
  readonly cwd: string;
  readonly env: Environment;
};

/** The configuration file to read: `--config`, `$CODEMODE_CONFIG`, the working folder, the user's folder; none is fine. */
export function findConfig({ explicit, cwd, env }: FindConfigOptions): string | undefined {
  const named = explicit ?? (env.CODEMODE_CONFIG || undefined);
  if (named !== undefined) return resolve(cwd, named);
  const folders = [cwd, userConfigFolder(env)];
  return folders.flatMap((folder) => fileNames.map((name) => join(folder, name))).find((file) => existsSync(file));
}

function userConfigFolder(env: Environment): string {
  if (process.platform === "win32" && env.APPDATA) return join(env.APPDATA, "codemode");
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), ".config"), "codemode");
}
