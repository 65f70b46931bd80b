import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { HttpError } from "./http-error.ts";

/** Largest request body: long enough for every program and image, too short to fill the memory (GW-1). */
export const maxBodyBytes = 4 * 1024 * 1024;

/** Refuses bodies that are too large, counted as they come in where no length is given. */
export function limitBody(): MiddlewareHandler {
  return bodyLimit({
    maxSize: maxBodyBytes,
    onError(context) {
      // what is left of the body is not worth reading
      context.header("connection", "close");
      throw new HttpError(413, "payload_too_large", `the body is larger than ${maxBodyBytes} bytes.`);
    },
  });
}

/** Refuses bodies that are not declared as JSON: those are what a foreign page can send without being asked (CSRF). */
export function requireJsonBody(): MiddlewareHandler {
  return async (context, next) => {
    const length = context.req.header("content-length");
    const hasBody = context.req.header("transfer-encoding") !== undefined || (length !== undefined && length !== "0");
    const type = context.req.header("content-type") ?? "";
    if (hasBody && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type))
      throw new HttpError(415, "unsupported_media_type", "send the body with header Content-Type: application/json.");
    await next();
  };
}
