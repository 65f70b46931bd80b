import { APICallError } from "ai";

/** Most requests for one reply: a provider that is down for longer is an error that a person has to see. */
const maxAttempts = 4;
const firstDelayMs = 500;
/** Longest pause that a provider may ask for: a turn that sleeps for minutes looks like one that hangs. */
const maxDelayMs = 60_000;

/**
 * How long to wait before a request is sent again; nothing when it must not be. Busy (429), overloaded and failing
 * (5xx) providers and broken connections are asked again, with a pause that doubles or as long as they ask for.
 */
export function retryDelay(error: unknown, attempt: number): number | undefined {
  if (attempt >= maxAttempts || !isRetryable(error)) return undefined;
  const asked = askedDelay(APICallError.isInstance(error) ? (error.responseHeaders ?? {}) : {});
  if (asked === undefined) return firstDelayMs * 2 ** (attempt - 1);
  return asked > maxDelayMs ? undefined : asked;
}

type ErrorEvent = { readonly type?: unknown; readonly isRetryable?: unknown };

function isRetryable(error: unknown): boolean {
  if (APICallError.isInstance(error)) {
    const { statusCode: status } = error;
    // a status below 400 means that the connection broke while the answer came
    if (status === undefined || status < 400) return status !== undefined || error.isRetryable;
    return status === 408 || status === 429 || status >= 500;
  }
  // an error event within the stream, as Anthropic sends it when it gets overloaded
  const { type, isRetryable: said } = (typeof error === "object" && error !== null ? error : {}) as ErrorEvent;
  if (said === true) return true;
  return type === "overloaded_error" || type === "api_error" || type === "rate_limit_error" || type === "server_error";
}

function askedDelay(headers: Readonly<Record<string, string>>): number | undefined {
  const ms = Number.parseFloat(headers["retry-after-ms"] ?? "");
  if (ms >= 0) return ms;
  const text = headers["retry-after"];
  if (text === undefined) return undefined;
  const seconds = Number(text);
  const delay = Number.isNaN(seconds) ? Date.parse(text) - Date.now() : seconds * 1000;
  return Number.isNaN(delay) ? undefined : Math.max(0, delay);
}
