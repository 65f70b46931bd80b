import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ServerJournal } from "./server-journal.ts";
import type { CaseServerSpec } from "./server-spec.ts";

/** How a client reaches a server of a case; entries of `mcp.servers`. */
export type CaseServerConfig =
  | { readonly command: string; readonly args: readonly string[]; readonly timeoutMs?: number }
  | { readonly url: string; readonly timeoutMs?: number };

const fixture = join(import.meta.dirname, "../../fixtures/case-mcp-server.mjs");

/** The MCP servers of one case: files in a folder of their own, and a process for each that is reached over HTTP. */
export class CaseServers implements AsyncDisposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "code-mode-case-"));
  readonly #children: ChildProcess[] = [];
  readonly #configs: Record<string, CaseServerConfig> = {};
  readonly #journals: Record<string, ServerJournal> = {};

  private constructor() {}

  /** Prepares the servers; those on stdio are started by whoever connects to them. */
  static async open(specs: Readonly<Record<string, CaseServerSpec>>): Promise<CaseServers> {
    const servers = new CaseServers();
    for (const [name, spec] of Object.entries(specs)) await servers.#add(name, spec);
    return servers;
  }

  /** Configuration of a client, by server. */
  get configs(): Readonly<Record<string, CaseServerConfig>> {
    return this.#configs;
  }

  /** What each server went through. */
  get journals(): Readonly<Record<string, ServerJournal>> {
    return this.#journals;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#children.map(stopChild));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #add(name: string, spec: CaseServerSpec): Promise<void> {
    const index = Object.keys(this.#configs).length;
    const specFile = join(this.#folder, `spec-${index}.json`);
    const journalFile = join(this.#folder, `journal-${index}.jsonl`);
    writeFileSync(specFile, JSON.stringify(spec));
    this.#journals[name] = new ServerJournal(journalFile);
    const args = [fixture, specFile, journalFile];
    const limit = spec.timeoutMs === undefined ? {} : { timeoutMs: spec.timeoutMs };
    if (spec.transport === "http") this.#configs[name] = { url: await this.#serve(args), ...limit };
    else if (spec.transport === "missing") this.#configs[name] = { command: join(this.#folder, "uvx"), args: [] };
    else this.#configs[name] = { command: process.execPath, args, ...limit };
  }

  async #serve(args: readonly string[]): Promise<string> {
    const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
    this.#children.push(child);
    for await (const line of createInterface({ input: child.stdout })) return `http://127.0.0.1:${line}/mcp`;
    throw new Error("the HTTP fixture server ended before it listened");
  }
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = Promise.withResolvers<void>();
  child.once("exit", () => ended.resolve());
  child.kill();
  await ended.promise;
}
