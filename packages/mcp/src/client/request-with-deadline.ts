import type { RequestOptions } from "@modelcontextprotocol/client";
import type { CallDeadline } from "./call-deadline.ts";
import { McpError } from "./mcp-error.ts";
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
  readonly deadline: CallDeadline;
  readonly signal: AbortSignal;
  onProgress(message: string): void;
};

type Progress = {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
};

/** The deadline counts; the SDK's own must never come first. */
const neverMs = 2_147_483_647;

/** Sends a request that ends with its deadline or when `signal` aborts; the server is told to stop in both cases. */
export async function requestWithDeadline(
  link: McpLink,
  request: ServerRequest,
  options: DeadlineOptions,
): Promise<RawResult> {
  const { deadline, signal } = options;
  try {
    return await send(link, request, {
      timeout: neverMs,
      signal: AbortSignal.any([signal, deadline.signal]),
      // without a listener no token is sent, and a server without a token sends no progress
      onprogress: (progress) => {
        deadline.touch();
        options.onProgress(describeProgress(progress));
      },
    });
  } catch (error) {
    if (deadline.ended === undefined || signal.aborted) throw error;
    const { server, member } = request;
    throw new McpError(describeEnd(request, deadline), { server, member, cause: error });
  }
}

function describeEnd({ server, member }: ServerRequest, { ended, timeoutMs, capMs }: CallDeadline): string {
  const what =
    ended === "silence"
      ? `MCP server "${server}" did not answer "${member}" within ${timeoutMs} ms`
      : `MCP server "${server}" reported progress on "${member}" but no result within ${capMs} ms`;
  return `${what} and was told to stop. Ask for less at once, or raise timeoutMs of this server in the configuration.`;
}

function send(link: McpLink, request: ServerRequest, options: RequestOptions): Promise<RawResult> {
  const { method, params, mirrored } = request;
  return mirrored === undefined ? link.request(method, params, options) : link.callMirrored(params, mirrored, options);
}

function describeProgress({ progress, total, message }: Progress): string {
  if (typeof message === "string" && message !== "") return message;
  return typeof total === "number" ? `${progress} of ${total}` : `${progress}`;
}
