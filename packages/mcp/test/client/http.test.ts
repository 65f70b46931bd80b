import { describe, expect, it } from "vitest";
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
    expect(toolNames(connections, "remote")).toEqual(["echo", "hang", "mirror", "no_schema", "null_description"]);
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
    const rejected = expect(running).rejects.toThrow(/ended before it answered "hang"/);
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
