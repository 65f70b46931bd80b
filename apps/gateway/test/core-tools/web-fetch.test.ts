import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { JsonObject } from "@code-mode/contract";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { AddressGuard } from "../../src/core-tools/address-guard.ts";
import type { HostAddress } from "../../src/core-tools/guarded-request.ts";
import { createWebFetchTool, type WebFetchOptions } from "../../src/core-tools/web-fetch-tool.ts";
import { toolContext } from "../tool-context.ts";

type Page = {
  url: string;
  status: number;
  contentType?: string;
  text?: string;
  note?: string;
  truncated: boolean;
  redirects: number;
};

/** A real HTTP server on loopback that notes which requests reached it. */
class Site implements AsyncDisposable {
  readonly seen: string[] = [];
  readonly #server;

  constructor(answer: RequestListener) {
    this.#server = createServer((request, response) => {
      this.seen.push(`${request.headers.host}${request.url}`);
      answer(request, response);
    });
  }

  async start(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const loopback: WebFetchOptions = { allowPrivate: ["127.0.0.1"] };
const fetchPage = async (input: JsonObject, options: WebFetchOptions = loopback, signal?: AbortSignal) =>
  (await createWebFetchTool(options).execute(input, toolContext([], signal))) as Page;

/** Every name leads to this machine, and no look-up leaves it. */
const toLoopback = async (): Promise<HostAddress[]> => [{ address: "127.0.0.1", family: 4 }];

/** Spellings of addresses that are not public; PORT is a live server that must not hear of any of them. */
const spellings = [
  // IPv4, the ways of inet_aton
  "http://127.0.0.1:PORT/",
  "http://127.0.0.1.:PORT/",
  "http://127.1:PORT/",
  "http://127.0.1:PORT/",
  "http://2130706433:PORT/",
  "http://2130706433.:PORT/",
  "http://017700000001:PORT/",
  "http://0x7f000001:PORT/",
  "http://0X7F000001:PORT/",
  "http://0x7f.0.0.1:PORT/",
  "http://0x7f.1:PORT/",
  "http://0177.0.0.1:PORT/",
  "http://0177.0.0.01:PORT/",
  "http://0177.0x0.0.1:PORT/",
  "http://00000177.1:PORT/",
  "http://127.000.000.001:PORT/",
  "http://127.255.255.254:PORT/",
  "http://0:PORT/",
  "http://0.0.0.0:PORT/",
  "http://0x0:PORT/",
  "http://00:PORT/",
  "http://0.0:PORT/",
  // percent-encoding, other digits, other dots, white space, slashes
  "http://%31%32%37.0.0.1:PORT/",
  "http://127%2e0%2e0%2e1:PORT/",
  "http://%30x7f.1:PORT/",
  "http://１２７.０.０.１:PORT/",
  "http://①②⑦.⓪.⓪.①:PORT/",
  "http://127。0。0。1:PORT/",
  "http://127．0．0．1:PORT/",
  "http://127｡0｡0｡1:PORT/",
  "http://𝟙𝟚𝟟.𝟘.𝟘.𝟙:PORT/",
  "http://１２７.1:PORT/",
  "http:127.0.0.1:PORT/",
  "http:/127.0.0.1:PORT/",
  "http:\\\\127.0.0.1:PORT\\",
  "http:////127.0.0.1:PORT/",
  " http://127.0.0.1:PORT/ ",
  "ht\ntp://127.0\t.0.1:PORT/",
  "HTTP://127.0.0.1:PORT/",
  "http://127.0.0.\u00ad1:PORT/",
  "http://127.0.0.1:PORT?x@example.com/",
  "http://127.0.0.1:PORT#@example.com/",
  "http://127.0.0.1:PORT\\@example.com/",
  // user names that look like hosts
  "http://example.com@127.0.0.1:PORT/",
  "http://example.com:80@127.0.0.1:PORT/",
  "http://example.com%2f@127.0.0.1:PORT/",
  "http://127.0.0.1:PORT@127.0.0.1:PORT/",
  // names of this machine
  "http://localhost:PORT/",
  "http://LOCALHOST:PORT/",
  "http://localhost.:PORT/",
  "http://a.localhost:PORT/",
  "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:PORT/",
  "http://localhost.localdomain:PORT/",
  "http://printer.local:PORT/",
  "http://metadata.google.internal:PORT/",
  "http://router.home.arpa:PORT/",
  "http://public.example:PORT/",
  "http://127.0.0.1.nip.example:PORT/",
  // IPv6
  "http://[::1]:PORT/",
  "http://[0:0:0:0:0:0:0:1]:PORT/",
  "http://[0000:0000:0000:0000:0000:0000:0000:0001]:PORT/",
  "http://[::]:PORT/",
  "http://[::ffff:127.0.0.1]:PORT/",
  "http://[::ffff:7f00:1]:PORT/",
  "http://[::FFFF:127.0.0.1]:PORT/",
  "http://[0:0:0:0:0:ffff:7f00:0001]:PORT/",
  "http://[::ffff:8.8.8.8]:PORT/",
  "http://[::127.0.0.1]:PORT/",
  "http://[::ffff:0:127.0.0.1]:PORT/",
  "http://[64:ff9b::127.0.0.1]:PORT/",
  "http://[64:ff9b::808:808]:PORT/",
  "http://[64:ff9b:1::a00:1]:PORT/",
  "http://[2002:7f00:1::]:PORT/",
  "http://[2002:808:808::1]:PORT/",
  "http://[2001:0:7f00:1::]:PORT/",
  "http://[fe80::1]:PORT/",
  "http://[fe80::1%25lo]:PORT/",
  "http://[fe80::1%lo]:PORT/",
  "http://[fec0::1]:PORT/",
  "http://[fc00::1]:PORT/",
  "http://[fd00:ec2::254]:PORT/",
  "http://[ff02::1]:PORT/",
  "http://[100::1]:PORT/",
  "http://[2001:db8::1]:PORT/",
  "http://[3fff::1]:PORT/",
  "http://[5f00::1]:PORT/",
  // private, shared, link-local and reserved IPv4
  "http://10.0.0.1:PORT/",
  "http://012.0.0.1:PORT/",
  "http://0xa.1:PORT/",
  "http://167772161:PORT/",
  "http://172.16.0.1:PORT/",
  "http://172.31.255.255:PORT/",
  "http://192.168.0.1:PORT/",
  "http://192.168.257:PORT/",
  "http://3232235777:PORT/",
  "http://169.254.169.254:PORT/",
  "http://169.16689662:PORT/",
  "http://0xa9fea9fe:PORT/",
  "http://2852039166:PORT/",
  "http://100.64.0.1:PORT/",
  "http://100.127.255.255:PORT/",
  "http://192.0.0.8:PORT/",
  "http://192.0.2.1:PORT/",
  "http://198.18.0.1:PORT/",
  "http://198.51.100.1:PORT/",
  "http://203.0.113.1:PORT/",
  "http://224.0.0.1:PORT/",
  "http://239.255.255.255:PORT/",
  "http://240.0.0.1:PORT/",
  "http://255.255.255.255:PORT/",
];

describe("addresses that are not public", () => {
  it("CORE-1 has more than 80 spellings to refuse", () => {
    expect(new Set(spellings).size).toBe(spellings.length);
    expect(spellings.length).toBeGreaterThanOrEqual(80);
  });

  it.each(spellings)("CORE-1 %j is refused and nothing is asked", async (spelling) => {
    await using site = new Site((_request, response) => response.end("secret"));
    const url = spelling.replaceAll("PORT", String(await site.start()));
    const names: string[] = [];
    const resolveHost = (name: string) => {
      names.push(name);
      return toLoopback();
    };
    await expect(fetchPage({ url }, { resolveHost })).rejects.toMatchObject({ code: "invalid_input" });
    expect(site.seen).toEqual([]);
    // a resolver is asked for names only; numbers in disguise never get there
    for (const name of names) expect(name).toMatch(/\.(example)$/);
  });

  it.each(["file:///etc/passwd", "ftp://example.com/", "gopher://127.0.0.1/", "data:text/plain,x", "javascript:1"])(
    "CORE-1 %s is no web address",
    async (url) => {
      await expect(fetchPage({ url })).rejects.toThrow(/Only http: and https: are loaded/);
    },
  );

  it.each(["1.1.1.1", "8.8.8.8", "2606:4700:4700::1111", "2a00:1450:4001:81b::200e"])("%s is public", (address) => {
    expect(new AddressGuard().admits(address)).toBe(true);
  });

  it.each([
    ["10.1.2.3", true],
    ["10.2.0.1", false],
    ["::1", true],
    ["::ffff:10.1.2.3", false],
    ["fe80::1%eth0", false],
    ["no address", false],
  ])("CORE-1 allowed ranges admit %s: %s", (address, admitted) => {
    expect(new AddressGuard(["10.1.0.0/16", "::1"]).admits(address)).toBe(admitted);
  });

  it("CORE-1 a local name is judged by its address where the operator allowed some", async () => {
    await using site = new Site((_request, response) => response.end("wiki"));
    const url = `http://wiki.internal:${await site.start()}/`;
    expect((await fetchPage({ url }, { ...loopback, resolveHost: toLoopback })).text).toBe("wiki");
    const elsewhere = async () => [{ address: "10.0.0.1", family: 4 }];
    await expect(fetchPage({ url }, { ...loopback, resolveHost: elsewhere })).rejects.toThrow("not a public address");
  });

  it("a range that is none is named", () => {
    expect(() => new AddressGuard(["10.0.0.0/99"])).toThrow('"10.0.0.0/99" is no address or range');
  });

  it("CORE-1 a host with one private address among public ones is refused", async () => {
    const resolveHost = async () => [
      { address: "93.184.216.34", family: 4 },
      { address: "10.0.0.1", family: 4 },
    ];
    await expect(fetchPage({ url: "http://mixed.example/" }, { resolveHost })).rejects.toThrow(
      "is not a public address",
    );
  });
});

describe("DNS rebinding", () => {
  it("CORE-1 the name is resolved once and exactly the checked address is connected to", async () => {
    await using site = new Site((_request, response) => response.end("checked"));
    const port = await site.start();
    let asked = 0;
    // the first answer is allowed, every later one leads to another address of this machine
    const resolveHost = async () => [{ address: asked++ === 0 ? "127.0.0.1" : "127.0.0.2", family: 4 }];
    const page = await fetchPage({ url: `http://rebind.example:${port}/` }, { ...loopback, resolveHost });
    expect([page.text, asked, site.seen]).toEqual(["checked", 1, [`rebind.example:${port}/`]]);
  });

  it("CORE-1 a name that turns private between two requests is refused at the second", async () => {
    await using site = new Site((request, response) =>
      request.url === "/start" ? response.writeHead(302, { location: "/secret" }).end() : response.end("secret"),
    );
    const port = await site.start();
    let asked = 0;
    const resolveHost = async () => [{ address: asked++ === 0 ? "127.0.0.1" : "10.0.0.1", family: 4 }];
    const loading = fetchPage({ url: `http://rebind.example:${port}/start` }, { ...loopback, resolveHost });
    await expect(loading).rejects.toThrow("is not a public address");
    expect(site.seen).toHaveLength(1);
  });
});

describe("redirects", () => {
  it("CORE-1 every hop is checked", async () => {
    await using secret = new Site((_request, response) => response.end("secret"));
    const secretPort = await secret.start();
    for (const location of [`http://127.0.0.2:${secretPort}/`, `//[::1]:${secretPort}/`, "file:///etc/passwd"]) {
      await using site = new Site((_request, response) => response.writeHead(307, { location }).end());
      const loading = fetchPage({ url: `http://127.0.0.1:${await site.start()}/` });
      await expect(loading).rejects.toMatchObject({ code: "invalid_input" });
    }
    expect(secret.seen).toEqual([]);
  });

  it.each([
    [5, true],
    [6, false],
  ])("CORE-1 %i redirects are followed: %s", async (count, followed) => {
    await using site = new Site((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end("there");
      else response.writeHead(301, { location: `/${left - 1}` }).end();
    });
    const loading = fetchPage({ url: `http://127.0.0.1:${await site.start()}/${count}` });
    if (followed) expect(await loading).toMatchObject({ text: "there", redirects: 5 });
    else await expect(loading).rejects.toThrow("more than 5 redirects");
  });
});

describe("a page", () => {
  it("CORE-1 comes as text with status and type, as declared", async () => {
    await using site = new Site((_request, response) =>
      response.writeHead(404, { "content-type": "text/html; charset=iso-8859-1" }).end(Buffer.from([0x66, 0xfc, 0x72])),
    );
    const url = `http://127.0.0.1:${await site.start()}/page`;
    const page = await fetchPage({ url });
    expect(page).toEqual({
      url,
      status: 404,
      contentType: "text/html; charset=iso-8859-1",
      text: "für",
      truncated: false,
      redirects: 0,
    });
    const { outputSchema } = createWebFetchTool();
    expect(new Ajv2020({ strict: false }).validate(outputSchema as object, page)).toBe(true);
  });

  it("CORE-1 is cut at maxBytes, at a whole character", async () => {
    await using site = new Site((_request, response) => response.end("ä".repeat(1_000_000)));
    const page = await fetchPage({ url: `http://127.0.0.1:${await site.start()}/`, maxBytes: 101 });
    expect([page.text, page.truncated]).toEqual(["ä".repeat(50), true]);
  });

  it.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
  ])("CORE-1 counts unpacked bytes of %s", async (encoding, pack) => {
    await using site = new Site((_request, response) =>
      response.writeHead(200, { "content-encoding": encoding }).end(pack(Buffer.alloc(50_000_000, "x"))),
    );
    const page = await fetchPage({ url: `http://127.0.0.1:${await site.start()}/`, maxBytes: 1_000 });
    expect([page.text, page.truncated]).toEqual(["x".repeat(1_000), true]);
  });

  it.each([
    ["image/png", Buffer.from("x")],
    ["text/plain", Buffer.from([1, 0, 2])],
    ["application/octet-stream", Buffer.from("x")],
  ])("CORE-1 a binary body of type %s becomes a note", async (type, body) => {
    await using site = new Site((_request, response) => response.writeHead(200, { "content-type": type }).end(body));
    const page = await fetchPage({ url: `http://127.0.0.1:${await site.start()}/` });
    expect(page.text).toBeUndefined();
    expect(page.note).toBe(`not text (${type}, ${body.length} bytes)`);
  });

  it("a server that breaks off or is not there is an error with a next step", async () => {
    await using site = new Site((_request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("x");
      response.destroy();
    });
    const port = await site.start();
    await expect(fetchPage({ url: `http://127.0.0.1:${port}/` })).rejects.toMatchObject({ code: "tool_error" });
    await site[Symbol.asyncDispose]().catch(() => undefined);
    await expect(fetchPage({ url: `http://127.0.0.1:${port}/` })).rejects.toThrow("cannot be reached (ECONNREFUSED)");
  });

  it("ends on abort and when the page does not arrive in time", async () => {
    const stop = new AbortController();
    await using site = new Site(() => stop.abort(new Error("enough")));
    const url = `http://127.0.0.1:${await site.start()}/`;
    await expect(fetchPage({ url }, loopback, stop.signal)).rejects.toThrow("enough");
    await expect(fetchPage({ url }, { ...loopback, timeoutMs: 20 })).rejects.toMatchObject({ code: "timeout" });
    const never = () => new Promise<HostAddress[]>(() => undefined);
    const waiting = fetchPage({ url: "http://never.example/" }, { resolveHost: never, timeoutMs: 20 });
    await expect(waiting).rejects.toMatchObject({ code: "timeout" });
  });
});
