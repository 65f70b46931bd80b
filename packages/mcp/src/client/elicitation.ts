import type { JsonObject, ToolContext } from "@code-mode/contract";
import type { Client } from "@modelcontextprotocol/client";

/** A question that a server asks the user in the middle of a call. */
export type McpElicitation = {
  readonly server: string;
  readonly message: string;
  /** JSON Schema of the form to fill in; absent for a question that only opens `url`. */
  readonly requestedSchema?: JsonObject;
  readonly url?: string;
  /** The call that the server is working on; absent where several may be meant. */
  readonly call?: { readonly member: string; readonly context: ToolContext };
};

/** The user's answer. */
export type McpElicitationAnswer = { readonly action: "accept" | "decline" | "cancel"; readonly content?: JsonObject };

/** Puts a server's question to the user. The question ends when `signal` aborts. */
export type McpElicit = (question: McpElicitation, options: { signal: AbortSignal }) => Promise<McpElicitationAnswer>;

type ElicitResult = {
  action: "accept" | "decline" | "cancel";
  content?: Record<string, string | number | boolean | string[]>;
};

/** Lets `client` pass the questions of `server` on. */
export function answerElicitations(client: Client, server: string, elicit: McpElicit): void {
  client.setRequestHandler("elicitation/create", async (request, context): Promise<ElicitResult> => {
    const { message, requestedSchema, url } = request.params as {
      message: string;
      requestedSchema?: JsonObject;
      url?: string;
    };
    const question: McpElicitation = {
      server,
      message,
      ...(requestedSchema !== undefined && { requestedSchema }),
      ...(url !== undefined && { url }),
    };
    const answer = await elicit(question, { signal: context.mcpReq.signal });
    // the SDK checks the content against the requested schema
    return answer as ElicitResult;
  });
}
