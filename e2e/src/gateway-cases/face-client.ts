import type { CodeModeResult, JsonObject } from "@code-mode/contract";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { CaseGateway } from "./case-gateway.ts";

/** What a tool call over MCP answered. */
export type FaceAnswer = { readonly isError?: unknown; readonly content: unknown; readonly structuredContent: unknown };

/** A person behind an MCP client. */
export type AskedPerson = (message: string) => "accept" | "decline" | Promise<"accept" | "decline">;

/** The official MCP client at `POST /mcp` of a gateway. */
export class FaceClient implements AsyncDisposable {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  /** Connects; with `person` the client can be asked. */
  static async open(gateway: CaseGateway, person?: AskedPerson): Promise<FaceClient> {
    const capabilities = person === undefined ? {} : { elicitation: {} };
    const client = new Client({ name: "case", version: "1.0.0" }, { capabilities });
    if (person !== undefined)
      client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
        const action = await person(String(params.message));
        return action === "accept" ? { action, content: {} } : { action };
      });
    const requestInit = { headers: { authorization: `Bearer ${gateway.process.token}` } };
    const transport = new StreamableHTTPClientTransport(new URL(`${gateway.process.url}/mcp`), { requestInit });
    await client.connect(transport as Parameters<Client["connect"]>[0]);
    return new FaceClient(client);
  }

  /** Calls `exec` or `wait`. */
  async call(name: "exec" | "wait", input: JsonObject, signal?: AbortSignal): Promise<FaceAnswer> {
    const options = { timeout: 60_000, ...(signal === undefined ? {} : { signal }) };
    return (await this.#client.callTool({ name, arguments: input }, undefined, options)) as FaceAnswer;
  }

  /** The cell's result. */
  async result(name: "exec" | "wait", input: JsonObject): Promise<CodeModeResult> {
    return (await this.call(name, input)).structuredContent as CodeModeResult;
  }

  /** The result of a program once it has ended, however many waits that takes. */
  async settled(input: JsonObject): Promise<CodeModeResult> {
    let result = await this.result("exec", input);
    for (let waits = 0; waits < 20 && result.status === "waiting"; waits++)
      result = await this.result("wait", { runId: result.runId });
    return result;
  }

  async ping(): Promise<void> {
    await this.#client.ping();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.close();
  }
}
