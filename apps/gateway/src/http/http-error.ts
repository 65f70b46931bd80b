import { CodeModeError, type JsonObject, messageOf } from "@code-mode/contract";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** An error that knows its HTTP status; the body is `{error: {code, message, details?}}` (GW-1). */
export class HttpError extends Error {
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly details: JsonObject | undefined;

  constructor(status: ContentfulStatusCode, code: string, message: string, details?: JsonObject) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** Status and body for anything that can be thrown; what is not ours shows no more than its message. */
export function toHttpAnswer(error: unknown): { status: ContentfulStatusCode; body: object } {
  if (error instanceof HttpError)
    return { status: error.status, body: errorBody(error.code, error.message, error.details) };
  if (CodeModeError.is(error))
    return {
      status: error.code === "invalid_input" ? 400 : 500,
      body: errorBody(error.code, error.message, error.details),
    };
  return { status: 500, body: errorBody("internal_error", messageOf(error)) };
}

function errorBody(code: string, message: string, details?: JsonObject): object {
  return { error: { code, message, ...(details === undefined ? {} : { details }) } };
}
