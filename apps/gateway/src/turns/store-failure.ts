import { CodeModeError } from "@code-mode/contract";
import { HttpError } from "../http/http-error.ts";

/** An error as callers see it: a store that cannot write is 503, everything else stays what it is. */
export function storeFailure(error: unknown): unknown {
  if (!CodeModeError.is(error) || error.code !== "runtime_unavailable") return error;
  return new HttpError(503, "store_unavailable", error.message);
}
