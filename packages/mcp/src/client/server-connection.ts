import { type CodeModeTool, messageOf } from "@code-mode/contract";
import { ActiveCalls } from "./active-calls.ts";
import { AdoptedTools } from "./adopted-tools.ts";
import { CallDeadline } from "./call-deadline.ts";
import { isConnectionLoss, isLoginNeeded, isRefusal, isSessionLoss, toMcpError } from "./call-failure.ts";
import { ChangeSignal } from "./change-signal.ts";
import { configProblem } from "./config-problem.ts";
import type { McpElicit } from "./elicitation.ts";
import { listTools } from "./list-tools.ts";
import { McpError } from "./mcp-error.ts";
import { mcpLimits } from "./mcp-limits.ts";
import { McpLink, type RawResult, type StdioEra } from "./mcp-link.ts";
import type { MediaStore } from "./media-store.ts";
import type { McpProblem } from "./parse-tool.ts";
import { pause } from "./pause.ts";
import { Refresher } from "./refresher.ts";
import { type DeadlineOptions, requestWithDeadline, type ServerRequest } from "./request-with-deadline.ts";
import { isStdioConfig, type McpServerConfig } from "./server-config.ts";
import type { CallServer } from "./server-tools.ts";
import { describeDeath, describeStartFailure, type FailureNote } from "./start-failure.ts";
import type { McpToolChange } from "./tool-changes.ts";

/** What a connection is made from. */
export type ServerConnectionOptions = {
  readonly server: string;
  readonly config: McpServerConfig;
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly elicit: McpElicit | undefined;
  readonly media: MediaStore;
  readonly startTimeoutMs: number;
  readonly reconnectDelayMs: number;
  onStderr(line: string): void;
  /** State or tools changed; must not throw. */
  onChange(): void;
};

type Status = { readonly state: "starting" | "ready" } | Notes<"starting"> | FailureNote;
type Notes<State> = { readonly state: State; readonly note: string; readonly guestNote: string };

/** One configured server through all its lives: start, use, one restart, end. Nothing here throws into its owner. */
export class ServerConnection {
  readonly #options: ServerConnectionOptions;
  readonly #closing = new AbortController();
  readonly #changed = new ChangeSignal();
  readonly #adopted: AdoptedTools;
  readonly #calls = new ActiveCalls();
  #status: Status = { state: "starting" };
  #link: McpLink | undefined;
  /** Also a link that is still connecting, so that closing reaches its process. */
  #newest: McpLink | undefined;
  #work: Promise<void> = Promise.resolve();
  #restarts = 0;
  #openedAt = 0;
  /** What this server is known to speak. */
  #stdioEra: StdioEra = "legacy";
  readonly #refresher = new Refresher<McpLink>({
    current: () => this.#link,
    refresh: (link) => this.#relist(link),
  });

  constructor(options: ServerConnectionOptions) {
    this.#options = options;
    this.#adopted = new AdoptedTools({ server: options.server, media: options.media, call: this.call });
  }

  get server(): string {
    return this.#options.server;
  }

  get status(): Status {
    return this.#status;
  }

  /** A server that is being restarted keeps its tools. */
  get tools(): readonly CodeModeTool[] {
    return this.#adopted.tools;
  }

  get problems(): readonly McpProblem[] {
    const noise = this.#newest?.noise;
    return noise === undefined ? this.#adopted.problems : [...this.#adopted.problems, { problem: noise }];
  }

  /** Tools whose definition is not the one that was listed first. */
  get changes(): readonly McpToolChange[] {
    return this.#adopted.changes;
  }

  /** Process id of a running stdio server. */
  get pid(): number | undefined {
    const process = this.#newest?.process;
    return process?.exit === undefined ? process?.pid : undefined;
  }

  /** Starts the server in the background. */
  start(): void {
    this.#work = this.#open();
  }

  /** Starts the server anew, whatever its state, and resolves when that went well or failed. */
  async restart(): Promise<void> {
    await this.#work;
    const old = this.#newest;
    this.#link = undefined;
    this.#restarts = 0;
    this.#adopted.acceptChanges();
    this.#set({ state: "starting" });
    this.#work = Promise.resolve(old?.close()).then(() => this.#open());
    await this.#work;
  }

  /** Resolves once the state is not `starting`; rejects when `signal` aborts. */
  async settled(signal: AbortSignal): Promise<void> {
    while (this.#status.state === "starting") await this.#changed.next(signal);
  }

  /** Sends a request of a tool; while the server is being restarted, once it is back. */
  readonly call: CallServer = async (request, context) => {
    const { server, config } = this.#options;
    const timeoutMs = config.timeoutMs ?? mcpLimits.callTimeoutMs;
    const signal = AbortSignal.any([context.signal, this.#closing.signal]);
    const onProgress = (message: string): void => context.onUpdate(message);
    using deadline = new CallDeadline(timeoutMs);
    const options: DeadlineOptions = { deadline, signal, onProgress };
    const done = this.#calls.add({ member: request.member, context, deadline });
    try {
      return await this.#send({ ...request, server }, options).catch((error: unknown) => {
        if (!isSessionLoss(error)) throw error;
        return this.#send({ ...request, server }, options);
      });
    } catch (error) {
      throw toMcpError(error, { server, member: request.member, timeoutMs, signal });
    } finally {
      done();
    }
  };

  /** Rejects pending calls, ends the process, and resolves when it is gone. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#link = undefined;
    await this.#newest?.close();
    await this.#work;
  }

  /** For the exit handler of our own process. */
  killNow(): void {
    this.#newest?.process?.killNow();
  }

  async #send(request: ServerRequest, options: DeadlineOptions): Promise<RawResult> {
    const link = await this.#readyLink(request.member, options.signal);
    try {
      const result = await requestWithDeadline(link, request, options);
      this.#restarts = 0;
      return result;
    } catch (error) {
      // over HTTP nothing else tells that the server or its session is gone
      if (isConnectionLoss(error)) void link.abandon();
      if (isLoginNeeded(error)) this.#logOut(link, error);
      if (isSessionLoss(error)) throw error;
      const { server, member } = request;
      const { deadline, signal } = options;
      throw toMcpError(error, { server, member, timeoutMs: deadline.timeoutMs, signal, exit: link.process?.exit });
    }
  }

  /** The login that worked until now works no more: only an operator can help. */
  #logOut(link: McpLink, error: unknown): void {
    if (this.#link !== link) return;
    const { config, startTimeoutMs } = this.#options;
    this.#link = undefined;
    void link.abandon();
    this.#fail(describeStartFailure({ error, config, startTimeoutMs }));
  }

  async #open(): Promise<void> {
    const { config, startTimeoutMs } = this.#options;
    const problem = configProblem(config);
    if (problem !== undefined)
      return this.#fail({ state: "failed", note: problem, guestNote: "its configuration is not valid" });
    let link: McpLink | undefined;
    try {
      const limits = { timeoutMs: startTimeoutMs, signal: this.#closing.signal };
      link = this.#createLink();
      await link.connect(limits).catch(async (error: unknown) => {
        if (!this.#mayBeModern(error)) throw error;
        await link?.close();
        link = this.#createLink("modern");
        await link.connect(limits);
        this.#stdioEra = "modern";
      });
      this.#adopted.adopt(await listTools(link, limits), link.capabilities);
      this.#link = link;
      this.#openedAt = Date.now();
      this.#set({ state: "ready" });
      this.#refresher.resume(link);
    } catch (error) {
      if (isConnectionLoss(error)) await link?.process?.drained();
      const exit = link?.process?.exit;
      const note = describeStartFailure({
        error,
        config,
        startTimeoutMs,
        ...(link && { link }),
        ...(exit && { exit }),
      });
      await link?.close();
      this.#fail(note);
    }
  }

  /** A stdio server that refuses the handshake of 2025 may speak the protocol of 2026 only. */
  #mayBeModern(error: unknown): boolean {
    return isStdioConfig(this.#options.config) && this.#stdioEra === "legacy" && isRefusal(error);
  }

  #createLink(stdioEra: StdioEra = this.#stdioEra): McpLink {
    const { server, config, clientInfo, elicit, onStderr } = this.#options;
    this.#closing.signal.throwIfAborted();
    const onClosed = (): void => this.#onClosed(link);
    const onToolsChanged = (): void => this.#refresher.request(link);
    const link: McpLink = new McpLink({
      server,
      config,
      clientInfo,
      elicit: elicit && ((question, { signal }) => this.#calls.ask(elicit, question, signal)),
      stdioEra,
      hooks: { onStderr, onClosed, onToolsChanged },
    });
    this.#newest = link;
    return link;
  }

  #onClosed(link: McpLink): void {
    // a link that is still connecting is looked after by `#open`
    if (this.#link !== link || this.#closing.signal.aborted) return;
    this.#link = undefined;
    if (Date.now() - this.#openedAt >= mcpLimits.healthyAfterMs) this.#restarts = 0;
    if (this.#restarts > 0) {
      this.#work = this.#giveUp(link);
      return;
    }
    this.#restarts += 1;
    const note = "it ended and is being restarted";
    this.#set({ state: "starting", note, guestNote: note });
    this.#work = this.#reopen(link);
  }

  async #giveUp(link: McpLink): Promise<void> {
    await link.close();
    this.#fail(describeDeath(this.#options.config, link.process?.exit, link.process?.lastStderrLine ?? ""));
  }

  async #reopen(old: McpLink): Promise<void> {
    await old.close();
    await pause(this.#options.reconnectDelayMs, this.#closing.signal);
    if (!this.#closing.signal.aborted) await this.#open();
  }

  async #relist(link: McpLink): Promise<void> {
    try {
      const list = await listTools(link, { timeoutMs: this.#options.startTimeoutMs, signal: this.#closing.signal });
      if (this.#link === link && this.#adopted.adopt(list, link.capabilities)) this.#options.onChange();
    } catch (error) {
      if (this.#link !== link) return;
      this.#adopted.addProblem(`its changed tools could not be listed (${messageOf(error)}); the old list stays`);
      this.#options.onChange();
    }
  }

  #fail(note: FailureNote): void {
    this.#adopted.clear();
    this.#set(note);
  }

  #set(status: Status): void {
    this.#status = status;
    this.#options.onChange();
    this.#changed.notify();
  }

  async #readyLink(member: string, signal: AbortSignal): Promise<McpLink> {
    await this.settled(signal);
    if (this.#link !== undefined) return this.#link;
    const { server } = this.#options;
    const why = "guestNote" in this.#status ? this.#status.guestNote : "it is being closed";
    const message = `MCP server "${server}" is not available for "${member}": ${why}. API.list("mcp") shows the state of every server; go on without this one.`;
    throw new McpError(message, { server, member });
  }
}
