import { describe, expect, it } from "vitest";
import type { McpElicitation, McpElicitationAnswer } from "../../src/index.ts";
import { LegacyHandler, modernHandler, modernMcp, nothingSeen, serveHttp } from "../http-fixture.ts";
import { call, changed, connected, toolNames } from "../support.ts";

const eras = [
  { era: "2026 servers", create: (seen: ReturnType<typeof nothingSeen>) => modernHandler(seen) },
  { era: "2025 servers", create: (seen: ReturnType<typeof nothingSeen>) => new LegacyHandler(seen).handle },
];

describe.each(eras)("streamable HTTP to $era", ({ create }) => {
  it("MCPC-1 tools are listed one by one and called, and broken ones cost nobody else", async () => {
    const { url } = await serveHttp(create(nothingSeen()));

    const connections = await connected({ remote: { url } });
    const result = await call(connections, "remote/echo", { a: [1, "b"] });

    expect(connections.states()).toMatchObject([{ state: "ready" }]);
    expect(toolNames(connections, "remote")).toEqual([
      "ask",
      "echo",
      "hang",
      "mirror",
      "no_schema",
      "null_description",
      "progress",
    ]);
    expect(connections.states()[0]?.problems.map(({ tool }) => tool)).toEqual(["null_description", "no_schema"]);
    expect(result).toEqual({ content: [{ type: "text", text: '{"a":[1,"b"]}' }] });
  });

  it("MCP-8 a cancelled call reaches the server", async () => {
    const seen = nothingSeen();
    const { url } = await serveHttp(create(seen));
    const connections = await connected({ remote: { url } });
    const abort = new AbortController();

    const running = call(connections, "remote/hang", {}, { signal: abort.signal });
    await seen.hanging.promise;
    abort.abort();

    await expect(running).rejects.toThrow('The call of "hang" on MCP server "remote" was cancelled');
    await seen.cancelled.promise;
  });

  it("MCPC-2 a server that vanishes in a call rejects it and can be used again once it is back", async () => {
    const seen = nothingSeen();
    const fixture = await serveHttp(create(seen));
    const connections = await connected({ remote: { url: fixture.url } }, { reconnectDelayMs: 1 });

    const running = call(connections, "remote/hang");
    const rejected = expect(running).rejects.toThrow(
      /MCP server "remote" closed the connection before it answered "hang"/,
    );
    await seen.hanging.promise;
    await fixture.vanish();
    await rejected;
    await expect(call(connections, "remote/echo")).rejects.toMatchObject({ code: "mcp_error" });
    await changed(connections, () => connections.states()[0]?.state === "failed");
    await fixture.listen();
    await connections.restart("remote");

    expect(await call(connections, "remote/echo")).toMatchObject({ content: [{ text: "{}" }] });
  });
});

describe("streamable HTTP", () => {
  it("MCP-8 a forgotten session is opened anew and the call is sent again", async () => {
    const legacy = new LegacyHandler(nothingSeen());
    const { url } = await serveHttp(legacy.handle);
    const connections = await connected({ remote: { url } });
    legacy.forget();

    const result = await call(connections, "remote/echo", { again: true });

    expect(result).toMatchObject({ content: [{ text: '{"again":true}' }] });
    expect(legacy.sessions).toBe(1);
  });

  it("disposing ends the session at the server", async () => {
    const legacy = new LegacyHandler(nothingSeen());
    const { url } = await serveHttp(legacy.handle);
    const connections = await connected({ remote: { url } });
    const before = legacy.sessions;

    await connections[Symbol.asyncDispose]();

    expect([before, legacy.sessions]).toEqual([1, 0]);
  });

  it("arguments that a tool wants in headers are sent there too", async () => {
    const seen = nothingSeen();
    const { url } = await serveHttp(modernHandler(seen));
    const connections = await connected({ remote: { url } });

    const result = await call(connections, "remote/mirror", { region: "north" });

    expect(result).toEqual({ content: [{ type: "text", text: '{"region":"north"}' }] });
    expect(seen.headers).toEqual(["north"]);
  });

  it("MCP-8 a change that a 2026 server announces on its stream is read", async () => {
    const seen = nothingSeen();
    const mcp = modernMcp(seen);
    const { url } = await serveHttp(modernHandler(seen, mcp));
    const connections = await connected({ remote: { url } });

    seen.moreTools.push({ name: "added", inputSchema: { type: "object" } });
    mcp.notify.toolsChanged();
    await changed(connections, () => toolNames(connections, "remote").includes("added"));

    expect(toolNames(connections, "remote")[0]).toBe("added");
  });

  it("MCPC-1 a server that wants a login is needs_login; configured headers are sent", async () => {
    const handler = modernHandler(nothingSeen());
    const { url } = await serveHttp((request, response) => {
      if (request.headers.authorization === "Bearer good") return handler(request, response);
      return response.writeHead(401, { "www-authenticate": "Bearer" }).end("<html>secret page</html>");
    });

    const connections = await connected({
      closed: { url },
      open: { url, headers: { authorization: "Bearer good" } },
    });

    expect(connections.toolSet().mcpServers).toEqual([
      { name: "closed", state: "needs_login", note: "the server wants a login (HTTP 401)" },
      { name: "open", state: "ready" },
    ]);
    expect(connections.states()[0]?.note).toBe(
      "the server wants a login (HTTP 401); set headers.Authorization of this server",
    );
  });

  it.each([
    { status: 500, note: "the server answered HTTP 500; check the url" },
    { status: 404, note: "the server answered HTTP 404; check the url" },
  ])("a server that answers $status is failed and its page is not quoted", async ({ status, note }) => {
    const { url } = await serveHttp((_request, response) => response.writeHead(status).end("<html>internal</html>"));

    const connections = await connected({ remote: { url } });

    expect(connections.states()).toMatchObject([{ state: "failed", note }]);
  });

  it("a server that nobody runs is failed and the note says how it cannot be reached", async () => {
    const fixture = await serveHttp(() => undefined);
    const { url } = fixture;
    await fixture.vanish();

    const connections = await connected({ remote: { url } });

    expect(connections.states()[0]?.note).toMatch(
      /^the server cannot be reached: .*ECONNREFUSED.*; check the url and that it is running$/,
    );
    expect(connections.toolSet().mcpServers).toEqual([
      { name: "remote", state: "failed", note: "the server cannot be reached" },
    ]);
  });

  it("a server that accepts and never answers is failed after the start timeout", async () => {
    const { url } = await serveHttp(() => undefined);

    const connections = await connected({ remote: { url } }, { startTimeoutMs: 100 });

    expect(connections.states()[0]).toMatchObject({ state: "failed", note: expect.stringContaining("did not answer") });
  });
});

describe.each(eras)("questions, progress and silence over HTTP of $era", ({ create: open }) => {
  it("MCP-8 a question to the user is answered through the host, and the call goes on", async () => {
    const { url } = await serveHttp(open(nothingSeen()));
    const asked: unknown[] = [];
    const elicit = async ({ message, call: about }: McpElicitation): Promise<McpElicitationAnswer> => {
      asked.push([message, about?.member]);
      return { action: "accept", content: {} };
    };
    const connections = await connected({ remote: { url } }, { elicit });

    const result = await call(connections, "remote/ask");

    expect(result.content).toEqual([{ type: "text", text: "accept" }]);
    expect(asked).toEqual([["May I?", "ask"]]);
  });

  it("MCP-8 progress is passed on and keeps a call alive beyond its timeout", async () => {
    const { url } = await serveHttp(open(nothingSeen()));
    const connections = await connected({ remote: { url, timeoutMs: 1_000 } });
    const updates: unknown[] = [];
    const abort = new AbortController();
    const context = { signal: abort.signal, onUpdate: (partial: unknown) => updates.push(partial) };

    const busy = call(connections, "remote/progress", {}, context);
    const ended = busy.catch((error: Error) => error.message);
    // begins later with as much time: when it is over, a call without progress would be over as well
    await expect(call(connections, "remote/hang")).rejects.toThrow('did not answer "hang"');
    abort.abort();

    expect(await ended).toContain('The call of "progress" on MCP server "remote" was cancelled');
    expect(updates.slice(0, 2)).toEqual(["step 1", "step 2"]);
  });

  it("MCP-8 silence ends a call after its timeout and the server is told", async () => {
    const seen = nothingSeen();
    const { url } = await serveHttp(open(seen));
    const connections = await connected({ remote: { url, timeoutMs: 100 } });

    await expect(call(connections, "remote/hang")).rejects.toThrow('did not answer "hang" within 100 ms');
    await seen.cancelled.promise;
  });
});

it("MCP-8 a change that a 2025 server announces over HTTP is read", async () => {
  const seen = nothingSeen();
  const legacy = new LegacyHandler(seen);
  let streams = (): void => undefined;
  const listening = new Promise<void>((resolve) => (streams = resolve));
  const { url } = await serveHttp((request, response) => {
    const handled = legacy.handle(request, response);
    if (request.method === "GET") setImmediate(streams);
    return handled;
  });
  const connections = await connected({ remote: { url } });
  await listening;

  seen.moreTools.push({ name: "added", inputSchema: { type: "object" } });
  await legacy.announce();
  await changed(connections, () => toolNames(connections, "remote").includes("added"));

  expect(toolNames(connections, "remote")[0]).toBe("added");
});

it("MCPC-1 a login that is over in the middle of the work makes the server needs_login until it is started anew", async () => {
  const handler = modernHandler(nothingSeen());
  let loggedIn = true;
  const { url } = await serveHttp((request, response) =>
    loggedIn ? handler(request, response) : response.writeHead(401, { "www-authenticate": "Bearer" }).end("page"),
  );
  const connections = await connected({ remote: { url } });
  loggedIn = false;

  await expect(call(connections, "remote/echo")).rejects.toMatchObject({
    code: "mcp_error",
    message: expect.stringMatching(/"remote" wants a login for "echo" \(HTTP 401\); the call did not run/),
  });
  const lost = connections.toolSet();
  loggedIn = true;
  await connections.restart("remote");

  expect(lost).toEqual({
    tools: [],
    mcpServers: [{ name: "remote", state: "needs_login", note: "the server wants a login (HTTP 401)" }],
  });
  expect((await call(connections, "remote/echo", { again: 1 })).content).toMatchObject([{ text: '{"again":1}' }]);
});
