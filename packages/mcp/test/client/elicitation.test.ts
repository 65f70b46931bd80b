import { describe, expect, it } from "vitest";
import type { McpElicitation, McpElicitationAnswer } from "../../src/index.ts";
import { call, connected, fixture, misbehaving } from "../support.ts";

const modern = { command: process.execPath, args: ["--conditions=@code-mode/source", fixture("modern-server.ts")] };

describe("questions of servers to the user", () => {
  it("MCP-8 a question comes with its form and the one call that is under way, and its answer goes back", async () => {
    const questions: McpElicitation[] = [];
    const elicit = async (question: McpElicitation): Promise<McpElicitationAnswer> => {
      questions.push(question);
      return { action: "accept", content: { name: "Ada" } };
    };
    const connections = await connected({ one: misbehaving() }, { elicit });

    const result = await call(connections, "one/ask");

    expect(questions).toMatchObject([
      {
        server: "one",
        message: "May I?",
        requestedSchema: { properties: { name: { type: "string" } } },
        call: { member: "ask", context: { sessionId: "session", toolCallId: "call" } },
      },
    ]);
    expect(result.content).toEqual([{ type: "text", text: '{"action":"accept","content":{"name":"Ada"}}' }]);
  });

  it("MCP-8 a question during two calls names neither of them", async () => {
    const asked: (string | undefined)[] = [];
    const first = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const elicit = async ({ call: about }: McpElicitation): Promise<McpElicitationAnswer> => {
      asked.push(about?.member);
      first.resolve();
      await go.promise;
      return { action: "decline" };
    };
    const connections = await connected({ one: misbehaving() }, { elicit });

    const calls = [call(connections, "one/ask")];
    await first.promise;
    calls.push(call(connections, "one/ask"));
    await call(connections, "one/echo");
    go.resolve();
    await Promise.all(calls);

    expect(asked).toEqual(["ask", undefined]);
  });

  it("MCP-8 the time that a user takes is not counted as silence of the server", async () => {
    const elicit = async (): Promise<McpElicitationAnswer> => {
      // begins later than the call that asks and has as much time: when it is over, that one would be over as well
      await expect(call(connections, "two/hang")).rejects.toThrow("did not answer");
      return { action: "decline" };
    };
    const connections = await connected(
      { one: { ...misbehaving(), timeoutMs: 1_000 }, two: { ...misbehaving(), timeoutMs: 1_000 } },
      { elicit },
    );

    const result = await call(connections, "one/ask");

    expect(result.content).toEqual([{ type: "text", text: '{"action":"decline"}' }]);
  });

  it("MCP-8 a stdio server that speaks only the protocol of 2026 is used, and asks through its result", async () => {
    const messages: string[] = [];
    const elicit = async ({ message }: McpElicitation): Promise<McpElicitationAnswer> => {
      messages.push(message);
      return { action: "accept", content: {} };
    };
    const connections = await connected({ new: modern }, { elicit });

    const echo = await call(connections, "new/echo", { a: 1 });
    const asked = await call(connections, "new/ask");

    expect(connections.states()).toMatchObject([{ state: "ready", tools: 2 }]);
    expect(echo.content).toEqual([{ type: "text", text: '{"a":1}' }]);
    expect(asked.content).toEqual([{ type: "text", text: "accept" }]);
    expect(messages).toEqual(["May I?"]);
  });
});
