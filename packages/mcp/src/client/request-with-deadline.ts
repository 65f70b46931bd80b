import type { RequestOptions } from "@modelcontextprotocol/client";
import { McpError } from "./mcp-error.ts";
import { mcpLimits } from "./mcp-limits.ts";
import type { McpLink, RawResult } from "./mcp-link.ts";

/** One request to a server. `member` is the tool or dotted member that it serves. */
export type ServerRequest = {
  readonly server: string;
  readonly member: string;
  readonly method: string;
  readonly params: RawResult;
  /** Input schema of a tool that wants arguments in headers (`x-mcp-header`). */
  readonly mirrored?: object;
};

/** How long a request may take and who hears of its progress. */
export type DeadlineOptions = {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  onProgress(message: string): void;
};

type Progress = {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
};

/**
 * Sends a request that ends: `timeoutMs` after the last sign of life, at the latest after ten times that, or when `signal`
 * aborts. The server is told to stop in each case.
 */
export async function requestWithDeadline(
  link: McpLink,
  request: ServerRequest,
  options: DeadlineOptions,
): Promise<RawResult> {
  const { timeoutMs, signal } = options;
  const capMs = timeoutMs * mcpLimits.absoluteCapFactor;
  const cap = new AbortController();
  const timer = setTimeout(() => cap.abort(), capMs);
  try {
    return await send(link, request, {
      timeout: timeoutMs,
      resetTimeoutOnProgress: true,
      signal: AbortSignal.any([signal, cap.signal]),
      // without a listener no token is sent, and a server without a token sends no progress
      onprogress: (progress) => options.onProgress(describeProgress(progress)),
    });
  } catch (error) {
    if (!cap.signal.aborted || signal.aborted) throw error;
    const message = `MCP server "${request.server}" reported progress on "${request.member}" but no result within ${capMs} ms and was told to stop. Ask for less at once, or raise timeoutMs of this server in the configuration.`;
    throw new McpError(message, { server: request.server, member: request.member, cause: error });
  } finally {
    clearTimeout(timer);
  }
}

function send(link: McpLink, request: ServerRequest, options: RequestOptions): Promise<RawResult> {
  const { method, params, mirrored } = request;
  return mirrored === undefined ? link.request(method, params, options) : link.callMirrored(params, mirrored, options);
}

function describeProgress({ progress, total, message }: Progress): string {
  if (typeof message === "string" && message !== "") return message;
  return typeof total === "number" ? `${progress} of ${total}` : `${progress}`;
}
