import { randomUUID } from "node:crypto";
import { existsSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { messageOf } from "@code-mode/contract";
import type { GatewayConfig } from "../../config/load-config.ts";
import { isLoopback } from "../../http/is-loopback.ts";
import { bareAddress } from "../../http/socket-of.ts";
import { type Check, fail, ok, warn } from "./check.ts";

const minFreeBytes = 100 * 1024 * 1024;

/** Whether the data folder can be written: really writes a file, or looks where the folder would be made. */
export function checkDataFolder({ gateway: { dataDir } }: GatewayConfig): Check {
  const fix = "Set gateway.dataDir to a folder that you can write.";
  const folder = nearestExisting(dataDir);
  const probe = join(folder, `.codemode-doctor-${randomUUID()}`);
  try {
    if (!statSync(folder).isDirectory()) return fail("data folder", `${folder} is no folder`, fix);
    writeFileSync(probe, "", { flag: "wx" });
    rmSync(probe);
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < minFreeBytes)
      return warn(
        "data folder",
        `${dataDir}: only ${Math.floor((bavail * bsize) / 1024 / 1024)} MiB are free`,
        "Make room: transcripts cannot be written on a full disk.",
      );
  } catch (error) {
    return fail("data folder", `${dataDir} cannot be written (${messageOf(error)})`, fix);
  }
  return ok("data folder", `${dataDir}${folder === dataDir ? "" : " (made by the first start)"}`);
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

/** Whether the port is free, or taken by a gateway of ours. */
export async function checkPort({ gateway: { host, port } }: GatewayConfig, given: AbortSignal): Promise<Check> {
  const address = bareAddress(host);
  const where = address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
  const code = await listenError(address, port);
  const fix = "Set gateway.port to a free port, or to 0 for any.";
  if (code === undefined)
    return isLoopback(address)
      ? ok("port", `${where} is free`)
      : warn(
          "port",
          `${where} is free, and can be reached from other machines without encryption`,
          "Set gateway.host to 127.0.0.1, or put a proxy with TLS in front and name it in gateway.allowedHosts.",
        );
  if (code === "EADDRINUSE")
    return (await isGateway(where, given))
      ? ok("port", `${where}: a codemode gateway is serving there`)
      : fail("port", `${where} is taken by another program`, fix);
  return fail("port", `${where} cannot be listened on (${code})`, "Set gateway.host to an address of this machine.");
}

async function listenError(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  server.listen({ host, port }, () => server.close(() => resolve(undefined)));
  return promise;
}

async function isGateway(where: string, given: AbortSignal): Promise<boolean> {
  try {
    const signal = AbortSignal.any([given, AbortSignal.timeout(2_000)]);
    const reply = await fetch(`http://${where}/healthz`, { signal });
    const { status } = (await reply.json()) as { status?: unknown };
    return status === "ok" || status === "closing";
  } catch {
    // whatever it is, it does not speak as a gateway does
    return false;
  }
}
