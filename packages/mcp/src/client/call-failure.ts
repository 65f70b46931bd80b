import { messageOf } from "@code-mode/contract";
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, UnauthorizedError } from "@modelcontextprotocol/client";
import { streamEndedCode } from "./http-transport.ts";
import { McpError } from "./mcp-error.ts";
import { oneLine } from "./one-line.ts";
import type { ServerExit } from "./server-process.ts";

/** What a failed call was. */
export type FailedCall = {
  readonly server: string;
  readonly member: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** How the server's process had ended when the call failed, if it had. */
  readonly exit?: ServerExit | undefined;
};

/** The error that the guest gets for a call that did not end with a result. */
export function toMcpError(error: unknown, call: FailedCall): McpError {
  if (error instanceof McpError) return error;
  const { server, member } = call;
  const options = { server, member, cause: error };
  const name = `MCP server "${server}"`;
  if (call.signal.aborted)
    return new McpError(`The call of "${member}" on ${name} was cancelled; the server was told.`, options);
  if (error instanceof ProtocolError && error.code !== streamEndedCode) {
    const said = oneLine(error.message, 2_000).replace(/[.\s]+$/, "");
    const details = { jsonRpcCode: error.code };
    return new McpError(
      `${name} refused "${member}": ${said} (code ${error.code}). Check the input with $api(${JSON.stringify(member)}).`,
      { ...options, details },
    );
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
    return new McpError(
      `${name} did not answer "${member}" within ${call.timeoutMs} ms and was told to stop. Ask for less at once, or raise timeoutMs of this server in the configuration.`,
      options,
    );
  }
  if (isLoginNeeded(error)) {
    return new McpError(
      `${name} wants a login for "${member}" (HTTP 401); the call did not run. Go on without this server and tell the user that its login is missing or over.`,
      options,
    );
  }
  if (isConnectionLoss(error)) {
    return new McpError(
      `${name} ${describeLoss(call.exit)} before it answered "${member}"; whether the call took effect is unknown. It is restarted once: check the effect before you call again.`,
      options,
    );
  }
  return new McpError(
    `${name} gave no usable answer to "${member}": ${oneLine(publicMessage(error))}. Try again, or use another tool.`,
    options,
  );
}

function describeLoss(exit: ServerExit | undefined): string {
  if (exit === undefined) return "closed the connection";
  return exit.signal === null ? `exited with code ${exit.code ?? "unknown"}` : `exited on ${exit.signal}`;
}

/** True when the connection is gone, so that only a new one helps. */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof ProtocolError) return error.code === streamEndedCode;
  if (error instanceof SdkHttpError) return isSessionLoss(error);
  if (error instanceof SdkError) {
    return (
      error.code === SdkErrorCode.ConnectionClosed ||
      error.code === SdkErrorCode.NotConnected ||
      error.code === SdkErrorCode.SendFailed
    );
  }
  if (!(error instanceof Error)) return false;
  return (
    error.message === "Not connected" ||
    error.message === "fetch failed" ||
    error.message === "terminated" ||
    isPipeError(error)
  );
}

/** True when an HTTP server no longer knows our session: it did not look at the request, so it may be sent again. */
export function isSessionLoss(error: unknown): boolean {
  return error instanceof SdkHttpError && error.status === 404;
}

/** True when the server answered with an error instead of a result. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ProtocolError && error.code !== streamEndedCode;
}

/** True when the server wants a login that we do not have. */
export function isLoginNeeded(error: unknown): boolean {
  return error instanceof UnauthorizedError || (error instanceof SdkHttpError && error.status === 401);
}

function isPipeError(error: Error): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return (
    code === "EPIPE" ||
    code === "ERR_STREAM_DESTROYED" ||
    code === "ECONNRESET" ||
    error.message === "the server has ended"
  );
}

/** HTTP error texts quote the body of the answer, which may be a page of HTML. */
function publicMessage(error: unknown): string {
  return error instanceof SdkHttpError ? `HTTP ${error.status} ${error.statusText ?? ""}`.trim() : messageOf(error);
}
