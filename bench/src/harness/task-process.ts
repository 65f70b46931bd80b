import { type ChildProcess, fork } from "node:child_process";

/** What a child process answers to one request. */
export type TaskReply<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: string };

/** The peer strips types with a function that Node warns about in every process. */
const quietFlags = ["--disable-warning=ExperimentalWarning"];

/** Longest a request may take; a measurement that takes longer hangs. */
const requestLimitMs = 20 * 60_000;

/** A child process that answers one request at a time. It inherits Node options such as `--expose-gc`. */
export class TaskProcess {
  readonly #child: ChildProcess;
  readonly #gone = Promise.withResolvers<never>();

  constructor(file: URL, args: readonly string[]) {
    this.#child = fork(file, [...args], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      execArgv: [...process.execArgv, ...quietFlags],
    });
    this.#gone.promise.catch(() => undefined);
    this.#child.on("error", (error) => this.#gone.reject(error));
    this.#child.on("exit", (code, signal) =>
      this.#gone.reject(new Error(`the child process ended (${signal ?? code})`)),
    );
  }

  /**
   * Sends a request and waits for its answer.
   * @throws Error when the measurement failed, the process ended, or nothing came back in time
   */
  async request<T>(message: object): Promise<T> {
    const answer = Promise.withResolvers<TaskReply<T>>();
    const timer = setTimeout(() => answer.reject(new Error("the measurement did not end in time")), requestLimitMs);
    const onMessage = (reply: unknown): void => answer.resolve(reply as TaskReply<T>);
    this.#child.once("message", onMessage);
    try {
      this.#child.send(message);
      const reply = await Promise.race([answer.promise, this.#gone.promise]);
      if (!reply.ok) throw new Error(reply.error);
      return reply.value;
    } finally {
      clearTimeout(timer);
      this.#child.off("message", onMessage);
    }
  }

  [Symbol.dispose](): void {
    this.#child.kill("SIGKILL");
  }
}
