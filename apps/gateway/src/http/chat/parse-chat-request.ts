import { z } from "zod";
import { HttpError } from "../http-error.ts";

const textPart = z.looseObject({ type: z.string(), text: z.string().optional() });
const content = z.union([z.string(), z.array(textPart), z.null()]).optional();

const toolCall = z.looseObject({
  id: z.string(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});

const message = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool"]),
  content,
  tool_calls: z.array(toolCall).nullish(),
  tool_call_id: z.string().optional(),
});

const functionTool = z.looseObject({
  type: z.literal("function"),
  function: z.looseObject({
    name: z.string(),
    description: z.string().nullish(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
  }),
});

/** Sampling options and other fields of the protocol are accepted and left to the agent's own configuration. */
const chatRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  tools: z.array(functionTool).nullish(),
  tool_choice: z.unknown().optional(),
  n: z.number().nullish(),
  user: z.string().nullish(),
  response_format: z.looseObject({ type: z.string() }).nullish(),
});

/** A chat completion request, as far as the gateway reads it. */
export type ChatCompletionRequest = z.infer<typeof chatRequest>;

/** One message of a request. */
export type ChatCompletionMessage = ChatCompletionRequest["messages"][number];

/**
 * Parses the body of `POST /v1/chat/completions` (GW-2).
 * @throws HttpError 400 naming the field
 */
export function parseChatRequest(text: string): ChatCompletionRequest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new HttpError(400, "invalid_input", "the body is no JSON; send a chat completion request.");
  }
  const parsed = chatRequest.safeParse(value);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join(".") || "body"}: ${issue.message}`);
    throw new HttpError(400, "invalid_input", `${faults.slice(0, 5).join("; ")}.`);
  }
  const request = parsed.data;
  refuse(typeof request.n === "number" && request.n !== 1, "n", "one answer per request; leave n out or set it to 1");
  const format = request.response_format?.type ?? "text";
  refuse(format !== "text", "response_format", 'only {type: "text"}; ask for the form in the message');
  const choice = request.tool_choice ?? "auto";
  refuse(
    choice !== "auto" && choice !== "none",
    "tool_choice",
    'a tool cannot be forced, because in code mode the model sees only exec and wait; use "auto" or "none"',
  );
  return request;
}

function refuse(isWrong: boolean, field: string, why: string): void {
  if (isWrong) throw new HttpError(400, "unsupported_value", `${field}: ${why}.`);
}
