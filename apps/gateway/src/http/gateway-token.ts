import { randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CodeModeError, messageOf } from "@code-mode/contract";
import type { GatewayConfig } from "../config/load-config.ts";

/** The bearer token of a gateway, and where a person finds it. */
export type GatewayToken = { readonly token: string; readonly where: string };

/**
 * The configured token, else the one in the data folder, which the first start generates. Only its owner can read the
 * file (mode 0600); a wider mode is narrowed, because everybody who reads it can run tools.
 * @throws CodeModeError `invalid_input` when the file can neither be read nor written, or is empty
 */
export async function gatewayToken({ gateway, file }: GatewayConfig): Promise<GatewayToken> {
  if (gateway.token !== undefined)
    return { token: gateway.token, where: `gateway.auth.token of ${file ?? "the configuration"}` };
  const path = join(gateway.dataDir, "token");
  try {
    await mkdir(gateway.dataDir, { recursive: true, mode: 0o700 });
    await writeNew(path);
    if (((await stat(path)).mode & 0o077) !== 0) await chmod(path, 0o600);
    const token = (await readFile(path, "utf8")).trim();
    if (token !== "") return { token, where: path };
  } catch (error) {
    throw new CodeModeError(
      "invalid_input",
      `the gateway's token cannot be kept in ${path} (${messageOf(error)}). Set gateway.dataDir to a folder of your own, or gateway.auth.token.`,
      { cause: error },
    );
  }
  throw new CodeModeError("invalid_input", `${path} is empty. Delete it to get a new token at the next start.`);
}

/** Of two gateways that start at once, one creates the file and both read it. */
async function writeNew(path: string): Promise<void> {
  try {
    await writeFile(path, `${randomBytes(32).toString("base64url")}\n`, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
