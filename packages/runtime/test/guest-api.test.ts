import type { CodeModeTool } from "@code-mode/contract";
import { afterAll, describe, expect, it } from "vitest";
import { basicTools, completedValue, createRuntime, failureOf } from "./support.ts";

const mcpTool = (server: string, name: string, result: unknown): CodeModeTool => ({
  name,
  description: `${name} of ${server}`,
  parameters: {
    type: "object",
    properties: { title: { type: "string", description: "Title of it" } },
    required: ["title"],
  },
  origin: { kind: "mcp", server },
  execute: (input) => ({ content: [{ type: "text", text: JSON.stringify(input) }], ...(result as object) }),
});

const codeMode = createRuntime({
  extra: [
    {
      name: "slow_thing",
      description: "a plugin tool",
      origin: { kind: "plugin", pluginId: "sample" },
      execute: () => "slow",
    },
    { name: "pick-file", description: "a client tool", origin: { kind: "client" }, execute: () => "picked" },
    { name: "computer", description: "direct", catalogMode: "direct-only", execute: () => "x" },
    mcpTool("github", "create_issue", {}),
    mcpTool("chrome-devtools", "take-snapshot", { structuredContent: { ok: true }, _meta: undefined }),
  ],
});
afterAll(() => codeMode[Symbol.asyncDispose]());
const value = async (code: string) => completedValue(await codeMode.exec({ code }));

describe("catalog in the guest", () => {
  it("GUEST-1 the globals exist and cannot be replaced", async () => {
    expect(
      await value(
        "tools = 1; text = 2; delete globalThis.MCP; return [typeof tools, typeof MCP, typeof API, typeof namespaces, typeof text, typeof json, typeof yield_control, Array.isArray(ALL_TOOLS)]",
      ),
    ).toEqual(["object", "object", "object", "object", "function", "function", "function", true]);
  });

  it("GUEST-2 ALL_TOOLS holds every eligible non-MCP tool without schemas, core first", async () => {
    const all = (await value("return ALL_TOOLS")) as {
      id: string;
      source: string;
      sourceName?: string;
      parameters?: unknown;
    }[];
    expect(all.map((tool) => tool.id)).toEqual([
      "openclaw:core:add",
      "openclaw:core:echo",
      "openclaw:core:fail",
      "openclaw:sample:slow_thing",
      "client:app:pick-file",
    ]);
    expect(all.map((tool) => tool.sourceName)).toEqual([undefined, undefined, undefined, "sample", "app"]);
    expect(all.every((tool) => tool.parameters === undefined)).toBe(true);
  });

  it("GUEST-3 search, describe and call work by id and by name", async () => {
    expect(
      await value(
        'const [hit] = await tools.search("adds two numbers"); const d = await tools.describe(hit.id); return [hit.id, d.parameters.required, (await tools.call("add", { a: 1, b: 2 })).sum]',
      ),
    ).toEqual(["openclaw:core:add", ["a", "b"], 3]);
    expect(await value('return (await tools.search("tool", { limit: 1 })).length')).toBe(1);
  });

  it("GUEST-3 unknown ids name the nearest tool, MCP ids point to their expression", async () => {
    expect(await value('try { await tools.call("openclaw:core:ech", {}) } catch (e) { return e.message }')).toMatch(
      /openclaw:core:ech.*echo/,
    );
    expect(
      await value('try { await tools.call("mcp:github:create_issue", {}) } catch (e) { return e.message }'),
    ).toMatch(/MCP\.github\.createIssue/);
    expect(await value('try { await tools.call("computer", {}) } catch (e) { return e.code }')).toBe("unknown_tool");
  });

  it("GUEST-4 convenience functions use safe names", async () => {
    expect(
      await value(
        "return [await tools.echo({ a: 1 }), await tools.slow_thing(), await tools.pick_file({}), typeof tools.computer, typeof tools.toString]",
      ),
    ).toEqual([{ a: 1 }, "slow", "picked", "undefined", "undefined"]);
  });

  it("GUEST-5 MCP tools are absent from tools.*", async () => {
    expect(
      await value(
        'return [typeof tools.create_issue, (await tools.search("create issue github")).filter((t) => t.source === "mcp").length, ALL_TOOLS.some((t) => t.source === "mcp")]',
      ),
    ).toEqual(["undefined", 0, false]);
  });

  it("MCP-1 members have camelCase names, and original names work with brackets", async () => {
    expect(
      await value(
        'const a = await MCP.github.createIssue({ title: "x" }); const b = await MCP.github["create_issue"]({ title: "x" }); const c = await MCP.chromeDevtools.takeSnapshot({ title: "s" }); return [a.content[0].text, b.content[0].text, c.structuredContent]',
      ),
    ).toEqual(['{"title":"x"}', '{"title":"x"}', { ok: true }]);
  });

  it("MCP-2 the native result crosses, and .data is its unwrapped value that never shows", async () => {
    expect(
      await value(
        'const r = await MCP.github.createIssue({ title: "t" }); return [Object.keys(r), r.data, JSON.stringify(r).includes("data")]',
      ),
    ).toEqual([["content"], { title: "t" }, false]);
  });

  it("MCP-5 declarations are virtual files", async () => {
    const files = (await value('return await API.list("mcp")')) as { path: string }[];
    expect(files.map((file) => file.path)).toEqual(expect.arrayContaining(["mcp/index.d.ts", "mcp/github.d.ts"]));
    expect(await value('return await API.read("mcp/github.d.ts")')).toMatch(/createIssue/);
    expect(await value('try { await API.read("mcp/../secret") } catch (e) { return e.name }')).toBe("Error");
  });

  it("MCP-6 an MCP call runs under its exact catalog id", async () => {
    const result = failureOf(await codeMode.exec({ code: "await MCP.github.createIssue({ title: 5 })" }));
    expect(result).toMatchObject({
      code: "tool_error",
      details: { code: "invalid_tool_input", toolId: "mcp:github:create_issue" },
    });
  });

  it("TEL-1 every result counts searches, describes and calls of the run", async () => {
    const counted = createRuntime();
    await counted.exec({ code: 'await tools.search("x"); await tools.describe("echo"); await tools.echo({})' });
    const { telemetry } = await counted.exec({ code: "await tools.echo({}); await API.list()" });
    expect(telemetry).toMatchObject({
      catalogSize: 3,
      sources: { openclaw: 3, mcp: 0, client: 0 },
      searchCount: 1,
      describeCount: 1,
      callCount: 2,
      visibleTools: ["exec", "wait"],
      calls: { completed: 1, failed: 0, pending: 0, notStarted: 0 },
    });
    await counted[Symbol.asyncDispose]();
    expect((await codeMode.exec({ code: "return 1" })).telemetry.visibleTools).toEqual(["exec", "wait", "computer"]);
  });

  it("EXEC-7 neither exec nor wait can be reached from a program", async () => {
    expect(
      await value(
        'const r = []; for (const id of ["exec", "wait", "code_mode:exec", "openclaw:core:wait"]) try { await tools.call(id, {}) } catch (e) { r.push(e.code) } return r',
      ),
    ).toEqual(Array(4).fill("unknown_tool"));
  });
});

describe("misspelled members", () => {
  it.each([
    ["tools.serch('x')", /tools\.search|tools\.echo/],
    ["MCP.githb.createIssue({})", /MCP\.github/],
    ["MCP.github.createIsue({})", /MCP\.github\.createIssue/],
  ])("GUEST-3 %s names the nearest", async (code, near) => {
    expect(failureOf(await codeMode.exec({ code: `return await ${code}` })).error).toMatch(near);
  });
});

describe("caps", () => {
  it("GUEST-6 a tool input of 1 MiB passes, one byte more is a catchable tool_error", async () => {
    const frame = '{"d":""}'.length;
    expect(await value(`return (await tools.echo({ d: "x".repeat(${1024 * 1024 - frame}) })).d.length`)).toBe(
      1024 * 1024 - frame,
    );
    expect(
      await value(
        `try { await tools.echo({ d: "x".repeat(${1024 * 1024 - frame + 1}) }) } catch (e) { return [e.code, e.message] }`,
      ),
    ).toEqual(["tool_error", expect.stringMatching(/1048577.*1048576/)]);
  });

  it("GUEST-7 console, timers and web globals work; absent ones name what to use", async () => {
    const result = await codeMode.exec({
      code: "console.log('rows', [{ id: 1 }], 2, undefined); await new Promise((r) => setTimeout(r, 5)); return [new TextEncoder().encode('é').length, new URL('https://a.b/c?d=1').searchParams.get('d'), structuredClone({ a: [1] }), atob('aGk=')]",
    });
    expect(result).toMatchObject({
      status: "completed",
      value: [2, "1", { a: [1] }, "hi"],
      output: [{ type: "text", text: 'rows [{"id":1}] 2 undefined' }],
    });
    for (const name of ["fetch('x')", "process.env", "Buffer.from('')"])
      expect(failureOf(await codeMode.exec({ code: `return ${name}` })).error, name).toMatch(
        /is not defined: .*(tool|TextEncoder)/,
      );
    expect(await value("return [typeof fetch, typeof process, typeof Buffer]")).toEqual([
      "undefined",
      "undefined",
      "undefined",
    ]);
    expect(await value("setTimeout(() => {}, 60000); return 'x'")).toBe("x");
  });

  it("GUEST-7 console shows values that JSON has no form for without quotes", async () => {
    const { output } = await codeMode.exec({ code: "console.log(1n, Symbol('s'), function f() {}, null, NaN)" });
    expect(output).toEqual([{ type: "text", text: "1 Symbol(s) [Function: f] null NaN" }]);
  });

  it("GUEST-8 results are kept for later programs of the same run", async () => {
    const saved = (await value("return await results.save([{ a: 1 }, { a: 2 }])")) as {
      id: string;
      count: number;
      bytes: number;
    };
    expect(saved).toMatchObject({ count: 2, bytes: 17, shape: "{a: number}[]" });
    expect(await value(`return (await results.load(${JSON.stringify(saved.id)}))[1].a`)).toBe(2);
    expect(
      await value(
        `return [await results.delete("${saved.id}"), await results.load("${saved.id}").catch((e) => e.code)]`,
      ),
    ).toEqual([true, "tool_error"]);
  });
});

it("CAT-6 a tool that is not in the catalog is refused under its guessed id", async () => {
  expect(basicTools().some((tool) => tool.name === "exec")).toBe(false);
  expect(
    await value('try { await tools.call("openclaw:core:exec", { command: "id" }) } catch (e) { return e.message }'),
  ).toMatch(/openclaw:core:exec/);
});
