import { type ApiFile, CodeModeError, describeFound } from "@code-mode/contract";
import { cutText, docText } from "./declarations/doc-text.ts";
import { emptyServerFile, indexFile, stateNote } from "./declarations/index-file.ts";
import { fullServerFile, serverIndexFile, toolFile } from "./declarations/server-file.ts";
import type { McpMember, McpServer } from "./mcp-servers.ts";
import { nearestOf, suggestion } from "./nearest-names.ts";

const indexPath = "mcp/index.d.ts";
const suffix = ".d.ts";

/** The read-only declaration files of a catalog. Each is printed when it is first asked for and kept. */
export class VirtualFiles {
  readonly #servers: readonly McpServer[];
  readonly #serverFiles = new Map<McpServer, { text: string; isIndex: boolean }>();

  constructor(servers: readonly McpServer[]) {
    this.#servers = servers;
  }

  /** Files whose path starts with the prefix; the files of single tools show only below their server. */
  list(prefix: unknown = ""): ApiFile[] {
    if (typeof prefix !== "string")
      throw new CodeModeError(
        "tool_error",
        `API.list takes a path prefix such as "mcp", not ${describeFound(prefix)}.`,
      );
    if (this.#servers.length === 0) return [];
    const index: ApiFile = { path: indexPath, bytes: byteLength(indexFile(this.#servers)) };
    const asked = this.#servers.filter(
      (server) => server.file.startsWith(prefix) || prefix.startsWith(folderOf(server)),
    );
    return [index, ...asked.flatMap((server) => this.#listServer(server, prefix))].filter(({ path }) =>
      path.startsWith(prefix),
    );
  }

  /**
   * The text of a file. Servers and tools may be written in guest or original spelling.
   * @throws CodeModeError `tool_error` when there is no such file
   */
  read(path: unknown): string {
    if (typeof path !== "string")
      throw new CodeModeError(
        "tool_error",
        `API.read takes a path such as "${indexPath}", not ${describeFound(path)}.`,
      );
    if (isUnsafe(path))
      throw new CodeModeError(
        "tool_error",
        `the path ${quote(path)} is not allowed: use a path from API.list(), without ".", "..", "\\" or a leading "/".`,
      );
    const text = this.#find(path);
    if (text !== undefined) return text;
    const near = nearestOf(path, this.#paths(path)).map((known) => JSON.stringify(known));
    throw new CodeModeError(
      "tool_error",
      `there is no file ${quote(path)}.${suggestion(near)} List the files with API.list("mcp").`,
    );
  }

  /** The text of a server's own file. */
  serverText(server: McpServer): string {
    return this.#serverFile(server).text;
  }

  /** True when the server's own file only lists its tools. */
  isIndexed(server: McpServer): boolean {
    return this.#serverFile(server).isIndex;
  }

  #listServer(server: McpServer, prefix: string): ApiFile[] {
    const file: ApiFile = {
      path: server.file,
      server: server.name,
      tools: server.members.length,
      bytes: byteLength(this.serverText(server)),
      ...this.#note(server),
    };
    const folder = folderOf(server);
    if (!prefix.startsWith(folder)) return [file];
    return [
      file,
      ...server.members.map((member) => ({ path: toolFilePath(server, member), server: server.name, tools: 1 })),
    ];
  }

  #note(server: McpServer): { note: string } | undefined {
    const notes = [
      stateNote(server),
      this.isIndexed(server) ? `names only; read ${folderOf(server)}/<tool>${suffix}` : undefined,
    ].filter((note) => note !== undefined);
    return notes.length === 0 ? undefined : { note: notes.join("; ") };
  }

  #find(path: string): string | undefined {
    if (path === indexPath) return indexFile(this.#servers);
    const [root, first = "", ...rest] = path.endsWith(suffix) ? path.slice(0, -suffix.length).split("/") : [];
    if (root !== "mcp") return undefined;
    const server =
      this.#servers.find((candidate) => folderOf(candidate) === `mcp/${first}`) ??
      this.#servers.find((candidate) => candidate.name === first);
    if (server === undefined) return undefined;
    if (rest.length === 0) return this.serverText(server);
    const member = server.byName.get(rest.join("/"));
    return member === undefined ? undefined : toolFile(server, member);
  }

  *#paths(wanted: string): Generator<string> {
    yield indexPath;
    for (const server of this.#servers) {
      yield server.file;
      if (wanted.startsWith(`${folderOf(server)}/`))
        for (const member of server.members) yield toolFilePath(server, member);
    }
  }

  #serverFile(server: McpServer): { text: string; isIndex: boolean } {
    const known = this.#serverFiles.get(server);
    if (known !== undefined) return known;
    if (server.members.length === 0 && server.special.size === 0)
      return { text: emptyServerFile(server), isIndex: false };
    const full = fullServerFile(server);
    const file = full === undefined ? { text: serverIndexFile(server), isIndex: true } : { text: full, isIndex: false };
    this.#serverFiles.set(server, file);
    return file;
  }
}

/** Path of the declaration file of one tool. */
export function toolFilePath(server: McpServer, member: McpMember): string {
  return `${folderOf(server)}/${member.name}${suffix}`;
}

function folderOf(server: McpServer): string {
  return server.file.slice(0, -suffix.length);
}

function isUnsafe(path: string): boolean {
  return (
    path.startsWith("/") ||
    path.includes("\\") ||
    path.includes("\0") ||
    path.split("/").some((segment) => segment === "." || segment === "..")
  );
}

function byteLength(text: string): number {
  return Buffer.byteLength(text);
}

function quote(path: string): string {
  return JSON.stringify(cutText(docText(path, 200), 120));
}
