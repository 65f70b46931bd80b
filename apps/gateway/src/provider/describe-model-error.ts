import { CodeModeError, messageOf } from "@code-mode/contract";
import { redact } from "@code-mode/telemetry";
import { APICallError } from "ai";
import { HttpError } from "../http/http-error.ts";
import type { OpenedModel } from "./opened-model.ts";

/** Which model failed, and how often it was asked. */
export type ModelErrorFacts = {
  readonly model: Pick<OpenedModel, "name" | "secrets">;
  readonly attempts: number;
};

/** Longest text of a provider that is passed on: some answer with a whole web page. */
const maxTextLength = 500;

/**
 * What went wrong with a model request, for a person: who failed, what it said, what to do. The key never shows, and the
 * error of the library is not kept as cause, because it holds the whole request.
 */
export function describeModelError(error: unknown, { model, attempts }: ModelErrorFacts): Error {
  if (CodeModeError.is(error) || error instanceof HttpError) return error;
  const said = oneLine(String(redact(textOf(error), { secrets: model.secrets })));
  const tried = attempts > 1 ? ` (asked ${attempts} times)` : "";
  const status = statusOf(error);
  const what =
    status === undefined
      ? `${model.name} did not answer${tried}: ${said}`
      : `${model.name} answered ${status}${tried}: ${said}`;
  const details = { model: model.name, attempts, ...(status === undefined ? {} : { status }) };
  return new HttpError(
    502,
    "provider_error",
    `${what}${/[.!?…]$/.test(what) ? "" : "."} ${adviceFor(status, model.name)}`,
    details,
  );
}

/** A good status with an error means that the connection broke while the answer came. */
function statusOf(error: unknown): number | undefined {
  const status = APICallError.isInstance(error) ? error.statusCode : undefined;
  return status === undefined || status < 400 ? undefined : status;
}

function textOf(error: unknown): string {
  if (APICallError.isInstance(error) && statusOf(error) === undefined && error.cause instanceof Error)
    return `${error.message} (${error.cause.message})`;
  if (typeof error === "object" && error !== null && "message" in error) return String(error.message);
  return messageOf(error);
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= maxTextLength ? line : `${line.slice(0, maxTextLength)}…`;
}

function adviceFor(status: number | undefined, name: string): string {
  const provider = `models.providers.${name.split("/", 1)[0]}`;
  if (status === 401 || status === 403) return `Check ${provider}.apiKey.`;
  if (status === 404) return `Check the name of the model and ${provider}.baseUrl.`;
  if (status === 429) return "Wait, or raise the limits at the provider.";
  if (status === undefined) return `Check ${provider}.baseUrl and the network.`;
  return status >= 500 ? "Try again later." : "The provider refused the request.";
}
