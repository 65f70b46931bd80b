import type { Hono, NotFoundHandler } from "hono";
import { HttpError, toHttpAnswer } from "./http-error.ts";

/** Answers what no route took: 405 with the methods that the path has, else 404. */
export function answerUnknownRoute(app: Hono): NotFoundHandler {
  return (context) => {
    const { method, path } = context.req;
    const allowed = methodsOf(app, path);
    if (allowed.length > 0) context.header("allow", allowed.join(", "));
    const error =
      allowed.length > 0
        ? new HttpError(405, "method_not_allowed", `${path} takes ${allowed.join(" or ")}, not ${method}.`)
        : new HttpError(404, "not_found", `there is no ${method} ${path}.`);
    const { status, body } = toHttpAnswer(error);
    return context.json(body, status);
  };
}

function methodsOf(app: Hono, path: string): readonly string[] {
  const found = app.routes.filter((route) => route.method !== "ALL" && matches(route.path, path));
  return [...new Set(found.map(({ method }) => method))].sort();
}

/** Patterns here are plain: names in segments, and at most a star at the end. */
function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split("/");
  const given = path.split("/");
  if (wanted.at(-1) !== "*" && wanted.length !== given.length) return false;
  return wanted.every((part, index) => part === "*" || (part.startsWith(":") ? !!given[index] : part === given[index]));
}
