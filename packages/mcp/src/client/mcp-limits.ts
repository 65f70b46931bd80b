/** Bounds of the MCP client; each says why it has its value. */
export const mcpLimits = {
  /** What most servers and clients assume for one call. */
  callTimeoutMs: 60_000,
  /** Progress resets the call timeout, so a server that only ever reports progress needs an end: this many timeouts. */
  absoluteCapFactor: 10,
  /** A first start through a package runner downloads the server; on a busy machine that takes half a minute. */
  startTimeoutMs: 60_000,
  /** Time between the end of a server and its one restart. */
  reconnectDelayMs: 500,
  /** A server that lived this long has earned another restart. */
  healthyAfterMs: 60_000,
  /** From SIGTERM to SIGKILL. */
  killDelayMs: 2_000,
  /** After a process ended its pipes may hold a last answer, or a grandchild may keep them open for ever. */
  drainDelayMs: 250,
  /** One message; screenshots of 10 MB as base64 exist, and parsing more would block the process. */
  maxMessageBytes: 64 * 1024 * 1024,
  /** So many lines that are no JSON-RPC before the first message: this is no MCP server. */
  maxGarbageLines: 100,
  /** Larger than any catalog seen (401 tools) by far; ends a list that never does. */
  maxListItems: 20_000,
  maxListPages: 1_000,
  /** JSON bytes of one tool's schemas; the largest seen in the wild has 50 KB. */
  maxSchemaBytes: 512 * 1024,
  /** Problems kept of one server; nobody reads more. */
  maxProblems: 200,
  /** Media kept for the host, oldest dropped first. */
  maxMediaBytes: 64 * 1024 * 1024,
  /** One line of a server's stderr in the log. */
  maxLogLineLength: 4_096,
  /** Bytes this process adds to the log file. */
  maxLogBytes: 16 * 1024 * 1024,
  /** A note is one line that people and models read. */
  maxNoteLength: 300,
} as const;
