import { messageOf } from "@code-mode/contract";
import { SdkError, SdkErrorCode, SdkHttpError } from "@modelcontextprotocol/client";
import { isLoginNeeded } from "./call-failure.ts";
import type { McpLink } from "./mcp-link.ts";
import { oneLine } from "./one-line.ts";
import { isStdioConfig, type McpServerConfig } from "./server-config.ts";
import type { ServerExit } from "./server-process.ts";

/** Why a server is not ready: `note` for the operator, `guestNote` for the model, without anything the server said (MCPC-2). */
export type FailureNote = {
  readonly state: "failed" | "needs_login";
  readonly note: string;
  readonly guestNote: string;
};

/** What is known about a start that failed. */
export type StartFailure = {
  readonly error: unknown;
  readonly config: McpServerConfig;
  readonly link?: McpLink;
  readonly exit?: ServerExit;
  readonly startTimeoutMs: number;
};

/** One line that says what happened and what to do. */
export function describeStartFailure(failure: StartFailure): FailureNote {
  return isStdioConfig(failure.config) ? describeChild(failure, failure.config.command) : describeHttp(failure);
}

/** One line for a server that ended while it was in use. */
export function describeDeath(config: McpServerConfig, exit: ServerExit | undefined, stderr: string): FailureNote {
  if (!isStdioConfig(config)) return both("failed", "the connection was lost", "check that the server is running");
  const what = exit === undefined ? "closed its output" : describeExit(exit);
  return withStderr(`${quote(config.command)} ${what} again after one restart`, stderr, "look at its log");
}

function describeChild(failure: StartFailure, command: string): FailureNote {
  const { exit, link } = failure;
  const stderr = link?.process?.lastStderrLine ?? "";
  if (exit?.error !== undefined) return describeSpawnError(exit.error, command);
  if (link?.garbage !== undefined) {
    const hint = "start the program in its MCP mode and let it log to stderr";
    return withStderr(
      `${quote(command)} printed no MCP messages but ${quote(link.garbage)}`,
      stderr,
      hint,
      "the program prints something else than MCP messages",
    );
  }
  if (exit !== undefined)
    return withStderr(
      `${quote(command)} ${describeExit(exit)} before it was ready`,
      stderr,
      "run the command by hand to see why",
    );
  if (isTimeout(failure.error)) {
    const hint = "check that it is an MCP server on stdio";
    return withStderr(
      `${quote(command)} did not answer within ${failure.startTimeoutMs} ms`,
      stderr,
      hint,
      "the server did not answer in time",
    );
  }
  return withStderr(
    `${quote(command)} could not be used: ${messageOf(failure.error)}`,
    stderr,
    "check that it is an MCP server on stdio",
    "the server could not be used",
  );
}

function describeSpawnError(error: NodeJS.ErrnoException, command: string): FailureNote {
  const missing = error.code === "ENOENT";
  const what = missing ? "was not found" : `could not be started (${error.code ?? error.message})`;
  const hint = missing ? "install it, give its full path, or check cwd" : "check its permissions";
  return {
    state: "failed",
    note: oneLine(`command ${quote(command)} ${what}; ${hint}`),
    guestNote: missing ? "its command was not found" : "it could not be started",
  };
}

function describeHttp(failure: StartFailure): FailureNote {
  const { error } = failure;
  if (isLoginNeeded(error))
    return both("needs_login", "the server wants a login (HTTP 401)", "set headers.Authorization of this server");
  if (error instanceof SdkHttpError) return both("failed", `the server answered HTTP ${error.status}`, "check the url");
  if (isTimeout(error))
    return both("failed", `the server did not answer within ${failure.startTimeoutMs} ms`, "check that it is running");
  const cause = rootCause(error);
  return {
    state: "failed",
    note: oneLine(`the server cannot be reached: ${messageOf(cause)}; check the url and that it is running`),
    guestNote: "the server cannot be reached",
  };
}

function withStderr(what: string, stderr: string, hint: string, guestWhat?: string): FailureNote {
  const said = stderr === "" ? "" : `; it said ${quote(stderr)}`;
  return {
    state: "failed",
    note: oneLine(`${what}${said}; ${hint}`, 500),
    guestNote: oneLine(guestWhat ?? "the server ended"),
  };
}

function both(state: FailureNote["state"], what: string, hint: string): FailureNote {
  return { state, note: oneLine(`${what}; ${hint}`), guestNote: oneLine(what) };
}

function describeExit(exit: ServerExit): string {
  return exit.signal === null ? `ended with exit code ${exit.code ?? "unknown"}` : `was ended by ${exit.signal}`;
}

function isTimeout(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}

function rootCause(error: unknown): unknown {
  let cause = error;
  for (let depth = 0; depth < 5 && cause instanceof Error && cause.cause !== undefined; depth += 1) cause = cause.cause;
  return cause;
}

function quote(text: string): string {
  return `"${oneLine(text, 120)}"`;
}
