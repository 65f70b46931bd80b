/** Codes of a failed cell (ERR-1). Consumers must accept codes that they do not know. */
export const codeModeErrorCodes = [
  "invalid_input",
  "runtime_unavailable",
  "timeout",
  "output_limit_exceeded",
  "snapshot_limit_exceeded",
  "internal_error",
  "aborted",
  "memory_limit_exceeded",
  "tool_error",
  "guest_error",
] as const;

/** One code of `codeModeErrorCodes`. */
export type CodeModeErrorCode = (typeof codeModeErrorCodes)[number];
