import { CodeModeError, didYouMean, type McpServerState, messageOf, type ToolSet } from "@code-mode/contract";
import type { McpElicit } from "./elicitation.ts";
import type { McpConnections, McpServerStatus } from "./mcp-connections.ts";
import { mcpLimits } from "./mcp-limits.ts";
import { MediaStore } from "./media-store.ts";
import { oneLine } from "./one-line.ts";
import { pause } from "./pause.ts";
import type { McpServerConfig } from "./server-config.ts";
import { ServerConnection } from "./server-connection.ts";
import { StderrLog, type StderrLogOptions } from "./stderr-log.ts";
import { describeChanges, type McpToolChange } from "./tool-changes.ts";

/** Options of `connectMcpServers`; all have defaults. */
export type ConnectMcpServersOptions = StderrLogOptions & {
  /** Called after each change, like a listener of `onChange`. */
  onChange?(): void;
  /** How we introduce ourselves. Default `code-mode` 0.1.0. */
  readonly clientInfo?: { readonly name: string; readonly version: string };
  /** Answers questions of servers to the user; without it servers are told that nobody can be asked. */
  readonly elicit?: McpElicit;
  /** Longest silence while a server starts and lists its tools. Default 60000. */
  readonly startTimeoutMs?: number;
  /** Time before the one restart of a server that ended. Default 500. */
  readonly reconnectDelayMs?: number;
};

/**
 * Starts all servers in parallel and in the background and returns at once. A server that cannot be used is a state with a
 * note, never an error. Without `logFile` and `onStderr` the stderr of servers is dropped.
 * @throws CodeModeError `invalid_input` for a name that no server can have
 */
export function connectMcpServers(
  servers: Readonly<Record<string, McpServerConfig>>,
  options: ConnectMcpServersOptions = {},
): McpConnections {
  return new Connections(servers, options);
}

class Connections implements McpConnections {
  readonly #connections: readonly ServerConnection[];
  readonly #log: StderrLog;
  readonly #media = new MediaStore();
  readonly #listeners = new Set<() => void>();
  readonly #killAll = (): void => {
    for (const connection of this.#connections) connection.killNow();
  };
  #toolSet: ToolSet | undefined;
  #disposing: Promise<void> | undefined;

  constructor(servers: Readonly<Record<string, McpServerConfig>>, options: ConnectMcpServersOptions) {
    assertServerNames(Object.keys(servers));
    this.#log = new StderrLog(options);
    if (options.onChange !== undefined) this.#listeners.add(options.onChange);
    // sorted: equal configurations give equal catalogs
    const names = Object.keys(servers)
      .filter((name) => servers[name]?.disabled !== true)
      .sort();
    this.#connections = names.map((name) => this.#create(name, servers[name] as McpServerConfig, options));
    process.once("exit", this.#killAll);
    for (const connection of this.#connections) connection.start();
  }

  toolSet(): ToolSet {
    this.#toolSet ??= {
      tools: this.#connections.flatMap((connection) => connection.tools),
      mcpServers: this.#connections.map(guestState),
    };
    return this.#toolSet;
  }

  async ready(options: { timeoutMs?: number; signal?: AbortSignal } = {}): Promise<void> {
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, ...(options.signal === undefined ? [] : [options.signal])]);
    const settled = Promise.all(this.#connections.map((connection) => connection.settled(signal)));
    const waits: Promise<unknown>[] =
      options.timeoutMs === undefined ? [settled] : [settled, pause(options.timeoutMs, signal)];
    try {
      await Promise.race(waits);
      options.signal?.throwIfAborted();
    } finally {
      over.abort();
      await settled.catch(() => undefined);
    }
  }

  states(): readonly McpServerStatus[] {
    return this.#connections.map((connection) => {
      const { server, status, tools, problems, changes, pid } = connection;
      const note = "note" in status ? status.note : changes.length > 0 ? describeChanges(changes) : undefined;
      return {
        name: server,
        state: status.state,
        ...(note !== undefined && { note: oneLine(note, 500) }),
        tools: tools.length,
        problems,
        changes,
        ...(pid !== undefined && { pid }),
      };
    });
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  changedTools(server: string): readonly McpToolChange[] {
    return this.#find(server).changes;
  }

  async restart(server: string): Promise<void> {
    return this.#find(server).restart();
  }

  #find(server: string): ServerConnection {
    const connection = this.#connections.find((candidate) => candidate.server === server);
    if (connection !== undefined) return connection;
    const names = this.#connections.map((candidate) => candidate.server);
    throw new CodeModeError(
      "invalid_input",
      `there is no MCP server "${server}"; configured are ${names.join(", ") || "none"}.${didYouMean(server, names)}`,
    );
  }

  media(handle: string): ReturnType<McpConnections["media"]> {
    return this.#media.get(handle);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#disposing ??= this.#dispose();
    return this.#disposing;
  }

  async #dispose(): Promise<void> {
    this.#listeners.clear();
    await Promise.all(this.#connections.map((connection) => connection.close()));
    process.off("exit", this.#killAll);
    await this.#log.close();
  }

  #create(server: string, config: McpServerConfig, options: ConnectMcpServersOptions): ServerConnection {
    return new ServerConnection({
      server,
      config,
      clientInfo: options.clientInfo ?? { name: "code-mode", version: "0.1.0" },
      elicit: options.elicit,
      media: this.#media,
      startTimeoutMs: options.startTimeoutMs ?? mcpLimits.startTimeoutMs,
      reconnectDelayMs: options.reconnectDelayMs ?? mcpLimits.reconnectDelayMs,
      onStderr: (line) => this.#log.write(server, line),
      onChange: () => this.#changed(),
    });
  }

  #changed(): void {
    this.#toolSet = undefined;
    for (const listener of [...this.#listeners]) {
      try {
        listener();
      } catch (error) {
        // one listener must not keep the others, or the server, from going on
        this.#log.write("code-mode", `a listener of MCP changes failed: ${messageOf(error)}`);
      }
    }
  }
}

/** An empty name gives no callable path, and `__proto__` would be lost on the way through plain objects. */
function assertServerNames(names: readonly string[]): void {
  const bad = names.find((name) => name.trim() === "" || name === "__proto__");
  if (bad === undefined) return;
  throw new CodeModeError(
    "invalid_input",
    `an MCP server cannot be named ${JSON.stringify(bad)}; give it a name with letters or digits.`,
  );
}

/** What a program may read about a server: no command, path, argument or output of it. */
function guestState({ server, status }: ServerConnection): McpServerState {
  return { name: server, state: status.state, ...("guestNote" in status && { note: status.guestNote }) };
}
