import { request } from "node:http";
import { expect, it } from "vitest";
import { TemporaryFolder } from "../temporary-folder.ts";
import { errorOf, openGateway, type Reply, type TestGateway, token } from "./open-gateway.ts";

/** Requests that `fetch` would not make: any header, any method, with the token. */
function ask(
  { url }: TestGateway,
  path: string,
  headers: Record<string, string>,
  { method = "GET", body }: { method?: string; body?: string } = {},
): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const sent = request(
    url + path,
    { method, headers: { authorization: `Bearer ${token}`, ...headers } },
    async (reply) => {
      let text = "";
      for await (const chunk of reply.setEncoding("utf8")) text += chunk;
      const fields = Object.entries(reply.headers).map(([name, value]) => [name, String(value)] as [string, string]);
      const parsed = text.startsWith("{") ? (JSON.parse(text) as Reply["body"]) : { text };
      resolve({ status: reply.statusCode ?? 0, headers: new Headers(fields), body: parsed });
    },
  );
  sent.on("error", reject).end(body);
  return promise;
}

it("GW-1 nothing but /healthz is there without the token, not even the news of what is not there", async () => {
  using folder = new TemporaryFolder();
  await using gateway = await openGateway(folder);
  const none = { authorization: "" };
  expect((await gateway.send("/healthz", undefined, none)).body).toEqual({ status: "ok" });
  for (const path of ["/", "/metrics", "/mcp", "/v1/models", "/api/sessions", "/nothing", "/healthz/", "/Healthz"])
    expect([path, ...errorOf(await gateway.send(path, undefined, none))]).toEqual([path, 401, "unauthorized"]);
  const { status, headers } = await ask(gateway, "/nothing", { authorization: `bearer   ${token} ` });
  expect([status, headers.get("x-content-type-options"), headers.get("cache-control")]).toEqual([
    404,
    "nosniff",
    "no-store",
  ]);
  for (const wrong of [`Basic ${token}`, `Bearer ${token}x`, `Bearer x${token}`, `Bearer ${token} x`])
    expect(errorOf(await ask(gateway, "/nothing", { authorization: wrong }))).toEqual([401, "unauthorized"]);
});

it("GW-1 ten wrong tokens in a minute lock the address out with Retry-After; none at all never does", async () => {
  using folder = new TemporaryFolder();
  let time = 0;
  await using gateway = await openGateway(folder, { start: { lockout: { now: () => time } } });
  const show = (authorization: string) => gateway.send("/api/nothing", undefined, { authorization });
  for (let count = 0; count < 12; count++) expect((await show("")).status).toBe(401);
  for (let count = 0; count < 10; count++) expect((await show("Bearer wrong")).status).toBe(401);
  const locked = await show(`Bearer ${token}`);
  expect([...errorOf(locked), locked.headers.get("retry-after")]).toEqual([429, "too_many_failures", "60"]);
  expect((await gateway.send("/healthz")).status).toBe(200);
  time = 59_000;
  expect((await show("Bearer wrong")).headers.get("retry-after")).toBe("1");
  time = 60_000;
  expect((await show(`Bearer ${token}`)).status).toBe(404);
});

it("GW-1 a Host header must name this gateway, whatever the port: loopback in every spelling, or an allowed name", async () => {
  using folder = new TemporaryFolder();
  await using gateway = await openGateway(folder, { start: { allowedHosts: ["Gate.example"] } });
  const host = async (value: string): Promise<unknown> => errorOf(await ask(gateway, "/healthz", { host: value }));
  for (const own of ["localhost", "LOCALHOST:9", "127.0.0.1:1", "[::1]", "[::1]:18790", "gate.example"])
    expect([own, await host(own)]).toEqual([own, [200, undefined]]);
  for (const foreign of ["evil.example", "127.0.0.1.evil.example", "localhost.", "10.0.0.1", "[::2]", "gate.example.x"])
    expect([foreign, await host(foreign)]).toEqual([foreign, [403, "forbidden_host"]]);
  for (const broken of ["a b", "evil@127.0.0.1", "127.0.0.1:x", "[::1", "::1"])
    expect([broken, ((await host(broken)) as number[])[0]]).toEqual([broken, expect.toBeOneOf([400, 403])]);
});

it("GW-1 requests of other web origins are refused: another name, another port, null, or what the browser says", async () => {
  using folder = new TemporaryFolder();
  await using gateway = await openGateway(folder);
  const { host } = new URL(gateway.url);
  const answer = async (headers: Record<string, string>, method = "GET"): Promise<unknown> =>
    errorOf(await ask(gateway, "/healthz", headers, { method }))[1];
  expect(await answer({ origin: `http://${host}` })).toBeUndefined();
  expect(await answer({ origin: "https://localhost", host: "localhost" })).toBeUndefined();
  const foreign = ["null", "http://evil.example", "http://127.0.0.1:1", `http://localhost:${host.split(":")[1]}`];
  for (const origin of [...foreign, `http://x@${host}`, `http://${host}/`, `file://${host}`, "http://[::1]", ""])
    expect([origin, await answer({ origin })]).toEqual([origin, "forbidden_origin"]);
  expect(await answer({ "sec-fetch-site": "none" })).toBeUndefined();
  expect(await answer({ "sec-fetch-site": "same-origin" })).toBeUndefined();
  for (const site of ["cross-site", "same-site"])
    expect(await answer({ "sec-fetch-site": site, "sec-fetch-mode": "no-cors" })).toBe("forbidden_origin");
  const link = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
  expect([await answer(link), await answer(link, "POST")]).toEqual([undefined, "forbidden_origin"]);
  expect(await answer({ ...link, "sec-fetch-dest": "iframe" })).toBe("forbidden_origin");
});

it("GW-1 a body must be declared as JSON, because a form or plain text is what any page can send", async () => {
  using folder = new TemporaryFolder();
  await using gateway = await openGateway(folder);
  const post = async (type: string | undefined): Promise<unknown> => {
    const headers = type === undefined ? {} : { "content-type": type };
    return errorOf(await ask(gateway, "/api/nothing", headers, { method: "POST", body: "{}" }));
  };
  const simple = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"];
  for (const type of [undefined, ...simple, "application/jsonx", "text/json", "x, application/json"])
    expect([type, await post(type)]).toEqual([type, [415, "unsupported_media_type"]]);
  for (const type of ["application/json", "Application/JSON; charset=utf-8", "application/vnd.x+json"])
    expect([type, await post(type)]).toEqual([type, [404, "not_found"]]);
  expect(errorOf(await ask(gateway, "/api/nothing", {}, { method: "POST" }))).toEqual([404, "not_found"]);
});

it("GW-1 a body of 4 MiB is read and one byte more is refused, with a length or in chunks", async () => {
  using folder = new TemporaryFolder();
  await using gateway = await openGateway(folder);
  const post = (bytes: number, headers: Record<string, string> = {}): Promise<Reply> =>
    ask(
      gateway,
      "/api/nothing",
      { "content-type": "application/json", ...headers },
      { method: "POST", body: " ".repeat(bytes) },
    );
  const limit = 4 * 1024 * 1024;
  const chunked = { "transfer-encoding": "chunked" };
  expect((await post(limit)).status).toBe(404);
  expect((await post(limit, chunked)).status).toBe(404);
  expect(errorOf(await post(limit + 1))).toEqual([413, "payload_too_large"]);
  expect(errorOf(await post(limit + 1, chunked))).toEqual([413, "payload_too_large"]);
});

it("GW-1 a path that is there names the methods it takes, and every error has the same shape", async () => {
  using folder = new TemporaryFolder();
  await using gateway = await openGateway(folder);
  const refused = await ask(gateway, "/api/sessions/one/trajectory", {}, { method: "PUT" });
  expect([...errorOf(refused), refused.headers.get("allow")]).toEqual([405, "method_not_allowed", "GET"]);
  expect(errorOf(await ask(gateway, "/api/sessions/one/turns", {}))).toEqual([405, "method_not_allowed"]);
  for (const reply of [refused, await ask(gateway, "/x", {}), await ask(gateway, "/x", { host: "x" })]) {
    expect(reply.headers.get("content-type")).toMatch(/^application\/json/);
    expect(reply.body).toEqual({ error: { code: expect.any(String), message: expect.any(String) } });
  }
});
