import type { JsonObject } from "@code-mode/contract";

/** Facts of an `McpError`. */
export type McpErrorOptions = {
  readonly server: string;
  readonly member?: string;
  readonly details?: JsonObject;
  readonly cause?: unknown;
};

/**
 * A call that an MCP server did not answer with a result. The message reaches the guest: it names server and tool and
 * says what to do next, and never holds the server's stderr.
 */
export class McpError extends Error {
  override readonly name = "McpError";
  readonly code = "mcp_error";
  readonly server: string;
  readonly member: string | undefined;
  readonly details: JsonObject | undefined;

  constructor(message: string, options: McpErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.server = options.server;
    this.member = options.member;
    this.details = options.details;
  }
}
