import { toHttpAnswer } from "../http-error.ts";

const types: Readonly<Record<number, string>> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  409: "conflict_error",
  429: "rate_limit_error",
};

/** Anything thrown, in the shape that clients of the protocol read. */
export function toOpenAiError(error: unknown): { status: ReturnType<typeof toHttpAnswer>["status"]; body: object } {
  const { status, body } = toHttpAnswer(error);
  const { code, message } = (body as { error: { code: string; message: string } }).error;
  const type = types[status] ?? (status < 500 ? "invalid_request_error" : "server_error");
  return { status, body: { error: { message, type, param: null, code } } };
}
