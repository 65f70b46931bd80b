import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CodeModeError, messageOf } from "@code-mode/contract";
import { z } from "zod";

/** Where this machine reaches a server: one that listens everywhere is reached on loopback. */
export function loopbackUrl(url: string): string {
  return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}

const endpointSchema = z.object({ url: z.url(), pid: z.number().int().positive(), token: z.string().min(1) });

/** Where a process of this data folder takes decisions, and the token it asks for. */
export type Endpoint = z.infer<typeof endpointSchema>;

/**
 * Writes where this process takes decisions into the data folder, for its owner only (mode 0600: who reads the token can
 * approve). Disposing removes it.
 * @throws CodeModeError `invalid_input` when the folder cannot be written
 */
export function registerEndpoint(dataDir: string, { url, token }: Omit<Endpoint, "pid">): Disposable {
  const folder = folderOf(dataDir);
  const file = join(folder, `${process.pid}.json`);
  const endpoint: Endpoint = { url: loopbackUrl(url), pid: process.pid, token };
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // a file that a process of the same id left behind keeps its mode, so it has to go first
    rmSync(file, { force: true });
    writeFileSync(file, JSON.stringify(endpoint), { mode: 0o600, flag: "wx" });
  } catch (error) {
    throw new CodeModeError(
      "invalid_input",
      `${file} cannot be written (${messageOf(error)}). Set gateway.dataDir to a folder of your own.`,
      { cause: error },
    );
  }
  const remove = (): void => rmSync(file, { force: true });
  // a signal that is not handled in time ends the process without disposing
  process.once("exit", remove);
  return {
    [Symbol.dispose]() {
      process.off("exit", remove);
      remove();
    },
  };
}

/** The endpoints of processes that live; files of dead ones, and what is no endpoint, are left out. */
export function readEndpoints(dataDir: string): readonly Endpoint[] {
  const folder = folderOf(dataDir);
  return namesIn(folder).flatMap((name) => {
    const endpoint = parseEndpoint(join(folder, name));
    return endpoint !== undefined && isAlive(endpoint.pid) ? [endpoint] : [];
  });
}

function folderOf(dataDir: string): string {
  return join(dataDir, "endpoints");
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+\.json$/.test(name));
  } catch {
    // nothing was ever started here
    return [];
  }
}

function parseEndpoint(file: string): Endpoint | undefined {
  try {
    return endpointSchema.safeParse(JSON.parse(readFileSync(file, "utf8"))).data;
  } catch {
    // its process is just ending or beginning
    return undefined;
  }
}

/** A process of another user is alive too; it only may not be signalled. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
