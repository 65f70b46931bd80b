import type { CodeModeErrorCode } from "./error-codes.ts";
import type { JsonObject } from "./json.ts";

/** Optional facts of a `CodeModeError`. */
export type CodeModeErrorOptions = { readonly details?: JsonObject; readonly cause?: unknown };

const brand = "@code-mode/error";

/**
 * The one error class of the project. `code` is the contract, `details` carries machine-readable facts,
 * the message says what happened, what is allowed and what to do next.
 */
export class CodeModeError extends Error {
  override readonly name = "CodeModeError";
  readonly brand = brand;
  readonly code: CodeModeErrorCode;
  readonly details: JsonObject | undefined;

  constructor(code: CodeModeErrorCode, message: string, options: CodeModeErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
  }

  /** True for a `CodeModeError` of any copy of this package in the process. */
  static is(error: unknown): error is CodeModeError {
    return error instanceof Error && (error as { brand?: unknown }).brand === brand;
  }
}

/** The message of anything that can be thrown, never empty and never throwing itself. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message || error.name;
  if (typeof error === "string" && error !== "") return error;
  try {
    return JSON.stringify(error) ?? String(error);
  } catch {
    return "an error that cannot be shown";
  }
}
