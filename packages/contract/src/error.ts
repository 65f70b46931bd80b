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
    try {
      return error instanceof Error && (error as { brand?: unknown }).brand === brand;
    } catch {
      // A proxy or getter that throws is no error of ours.
      return false;
    }
  }
}

const unknownMessage = "an error that cannot be shown";

/** The message of anything that can be thrown: a string, never empty, and never throwing itself. */
export function messageOf(error: unknown): string {
  try {
    return readMessage(error) || unknownMessage;
  } catch {
    return unknownMessage;
  }
}

function readMessage(error: unknown): string {
  if (typeof error === "string") return error;
  if (typeof error !== "object" || error === null) return String(error);
  const { message } = error as { message?: unknown };
  if (typeof message === "string" && message !== "") return message;
  if (error instanceof Error) return typeof error.name === "string" ? error.name : "";
  return JSON.stringify(error) ?? "";
}
