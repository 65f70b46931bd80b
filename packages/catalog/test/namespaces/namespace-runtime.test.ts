import { describe, expect, it } from "vitest";
import {
  buildCatalog,
  type CodeModeNamespaceRuntime,
  createCodeModeNamespaceRuntime,
  createCodeModeNamespaceTool,
  createNamespaceRegistry,
  type NamespaceContext,
} from "../../src/index.ts";
import { pluginTool } from "../fixture-tools.ts";
import { thrown } from "../thrown.ts";

const catalog = buildCatalog({
  tools: [pluginTool("tickets", "list"), pluginTool("tickets", "update"), pluginTool("tickets", "secret")],
});
const context = { agentId: "main", sessionKey: "k", sessionId: "s", runId: "r", aborted: false };
const call = createCodeModeNamespaceTool;

function runtimeOf(createScope: (context: NamespaceContext) => unknown, config?: unknown): CodeModeNamespaceRuntime {
  const registry = createNamespaceRegistry();
  registry.register("tickets", {
    id: "tickets-api",
    globalName: "Tickets",
    description: "d",
    requiredToolNames: ["list", "update"],
    createScope,
  });
  return createCodeModeNamespaceRuntime({ ...context, config }, catalog, registry);
}

describe("namespace scopes", () => {
  it("NS-4 cross as plain values with a marker for each callable", () => {
    const shared = { unit: "days" };
    const runtime = runtimeOf(() => ({
      version: 2,
      tags: ["a", null],
      first: shared,
      second: shared,
      list: call("list"),
      admin: { update: call("update") },
    }));
    expect(JSON.parse(runtime.json)).toEqual([
      {
        id: "tickets-api",
        globalName: "Tickets",
        scope: {
          version: 2,
          tags: ["a", null],
          first: { unit: "days" },
          second: { unit: "days" },
          list: { $call: "list" },
          admin: { update: { $call: "admin.update" } },
        },
      },
    ]);
  });

  it("NS-4 are made once, with facts of the run and a frozen configuration without secrets", () => {
    const seen: NamespaceContext[] = [];
    const config = {
      port: 1,
      auth: { token: "s3cret" },
      apiKey: "s3cret",
      nested: [{ password: "s3cret", maxTokens: 5 }],
      when: new Date(0),
    };
    const runtime = runtimeOf((given) => {
      seen.push(given);
      return { list: call("list") };
    }, config);
    runtime.resolveCall("tickets-api", "list", []);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ agentId: "main", sessionKey: "k", sessionId: "s", runId: "r", aborted: false });
    expect(JSON.stringify(seen[0]?.config)).not.toContain("s3cret");
    expect(seen[0]?.config).toMatchObject({ port: 1, nested: [{ maxTokens: 5 }], when: "1970-01-01T00:00:00.000Z" });
    const shown = seen[0]?.config as { nested: unknown } | undefined;
    expect([Object.isFrozen(shown), Object.isFrozen(shown?.nested)]).toEqual([true, true]);
  });

  it("NS-4 know at any time whether the run was aborted", () => {
    const seen: NamespaceContext[] = [];
    const registry = createNamespaceRegistry();
    registry.register("tickets", {
      id: "t",
      globalName: "T",
      description: "d",
      requiredToolNames: ["list"],
      createScope: (given) => {
        seen.push(given);
        return {};
      },
    });
    const stop = new AbortController();
    const live = {
      ...context,
      get aborted() {
        return stop.signal.aborted;
      },
    };
    createCodeModeNamespaceRuntime(live, catalog, registry);
    expect(seen[0]?.aborted).toBe(false);
    stop.abort();
    expect(seen[0]?.aborted).toBe(true);
  });

  it("NS-2 takes callables of another copy of this package, as they were when the scope was made", async () => {
    // another copy is another module with the same text
    const other = (await import(
      `${new URL("../../src/namespaces/namespace-tool.ts", import.meta.url).href}?copy`
    )) as typeof import("../../src/namespaces/namespace-tool.ts");
    expect(other.createCodeModeNamespaceTool).not.toBe(call);
    const runtime = runtimeOf(() => ({ list: other.createCodeModeNamespaceTool("list", ([id]) => ({ id })) }));
    expect(runtime.resolveCall("tickets-api", "list", [7])).toEqual({
      toolId: "openclaw:tickets:list",
      input: { id: 7 },
    });
  });

  it("NS-5 an object that only looks like a callable is data", () => {
    const runtime = runtimeOf(() => ({ list: { toolName: "list", inputMapper: null } }));
    expect(JSON.parse(runtime.json)[0].scope).toEqual({ list: { toolName: "list", inputMapper: null } });
    expect(() => runtime.resolveCall("tickets-api", "list", [])).toThrow("has no function");
  });

  class Client {}
  it.each([
    [
      { a: undefined, b: Number.NaN, c: 10n, d: new Date(0) },
      { b: null, c: "10", d: "1970-01-01T00:00:00.000Z" },
    ],
    [
      { a: new Map([["k", 1]]), b: new Set([1]), c: [undefined, Number.POSITIVE_INFINITY] },
      { a: { k: 1 }, b: [1], c: [null, null] },
    ],
    [
      { a: new Error("no"), b: new Uint8Array(3), c: Symbol("s") },
      { a: { name: "Error", message: "no" }, b: "[Uint8Array: 3 bytes, binary not supported]", c: "[Symbol: s]" },
    ],
    [{ a: new Client() }, { a: "[Client: not available in code mode]" }],
  ])("NS-6 give JSON-safe values for what JSON cannot hold (%#)", (scope, expected) => {
    expect(runtimeOf(() => scope).descriptors[0]?.scope).toEqual(expected);
  });

  const cyclic: { self?: unknown } = {};
  cyclic.self = cyclic;
  it.each([
    ["a raw function", { list: () => 1 }, "Tickets.list"],
    ["a raw function in a list", { deep: [{ f: Math.max }] }, "Tickets.deep.0.f"],
    ["a cycle", { a: cyclic }, "Tickets.a.self"],
    ["the key __proto__", JSON.parse('{"a":{"__proto__":1}}'), "Tickets.a.__proto__"],
    ["the key constructor", { constructor: 1 }, "Tickets.constructor"],
    ["the key prototype", { a: { prototype: 1 } }, "Tickets.a.prototype"],
    ["an empty key", { "": 1 }, "Tickets."],
    ["a key with the path separator", { "a.b": call("list") }, "Tickets.a.b"],
    ["a forged marker", { a: { $call: "list" } }, "Tickets.a.$call"],
    ["a function inside a map", { a: new Map([["f", () => 1]]) }, "Tickets.a.f"],
  ])("NS-5 are refused for %s, naming plugin and path", (_what, scope, path) => {
    const error = thrown(() => runtimeOf(() => scope));
    expect(error.code).toBe("internal_error");
    expect(error.details).toEqual({ pluginId: "tickets", path });
    expect(error.message).toContain('plugin "tickets"');
  });

  it.each([
    ["a promise", Promise.resolve({})],
    ["a list", []],
    ["nothing", undefined],
    ["a bare callable", call("list")],
  ])("NS-5 are refused when createScope returns %s", (_what, scope) => {
    expect(thrown(() => runtimeOf(() => scope)).code).toBe("internal_error");
  });

  it("NS-5 are refused when createScope throws, with the reason", () => {
    const error = thrown(() =>
      runtimeOf(() => {
        throw new Error("no database");
      }),
    );
    expect(error.code).toBe("internal_error");
    expect(error.message).toContain("no database");
  });

  it("NS-7 may call only tools that the registration requires", () => {
    expect(thrown(() => runtimeOf(() => ({ leak: call("secret") }))).details).toEqual({
      pluginId: "tickets",
      path: "Tickets.leak",
    });
  });

  it("stay small where shared references multiply", () => {
    let value: unknown = "x";
    for (let level = 0; level < 30; level++) value = [value, value];
    expect(thrown(() => runtimeOf(() => ({ value }))).code).toBe("internal_error");
  });
});

describe("namespace calls", () => {
  const runtime = runtimeOf(() => ({
    list: call("list"),
    update: call("update", ([number, patch]) => ({ number, patch })),
    fails: call("update", () => {
      throw new Error("number is missing");
    }),
    odd: call("update", () => "text"),
    deep: { er: { list: call("list") } },
  }));

  it("NS-2 pass the first argument, or an empty object, when there is no mapper", () => {
    expect(runtime.resolveCall("tickets-api", "list", [{ state: "open" }, 2])).toEqual({
      toolId: "openclaw:tickets:list",
      input: { state: "open" },
    });
    expect(runtime.resolveCall("tickets-api", "deep.er.list", [])).toEqual({
      toolId: "openclaw:tickets:list",
      input: {},
    });
  });

  it("NS-2 pass all arguments to the mapper as one list", () => {
    expect(runtime.resolveCall("tickets-api", "update", [7, { title: "t" }])).toEqual({
      toolId: "openclaw:tickets:update",
      input: { number: 7, patch: { title: "t" } },
    });
  });

  it("NS-2 fail catchably when the mapper throws or makes no object", () => {
    expect(thrown(() => runtime.resolveCall("tickets-api", "fails", []))).toMatchObject({
      code: "tool_error",
      message: expect.stringContaining("number is missing"),
    });
    expect(thrown(() => runtime.resolveCall("tickets-api", "odd", [])).code).toBe("tool_error");
  });

  it.each(["", "constructor", "__proto__", "list.constructor", "deep", "secret", "../list"])(
    "NS-7 refuse the forged path %j",
    (path) => {
      expect(thrown(() => runtime.resolveCall("tickets-api", path, [])).code).toBe("tool_error");
    },
  );

  it.each(["", "tickets", "Tickets", "__proto__"])("NS-7 refuse the forged namespace %j", (id) => {
    expect(thrown(() => runtime.resolveCall(id, "list", [])).code).toBe("tool_error");
  });

  it("suggest the nearest function for a misspelled one", () => {
    expect(thrown(() => runtime.resolveCall("tickets-api", "lst", [])).message).toContain("Tickets.list");
  });
});
