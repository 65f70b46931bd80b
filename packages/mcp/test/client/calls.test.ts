import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  call,
  changed,
  connect,
  connected,
  fileHolds,
  isAlive,
  misbehaving,
  temporaryFolder,
  toolNames,
} from "../support.ts";

describe("calls that a server does not answer well", () => {
  it("MCPC-2 a server that dies in a call rejects it, is restarted once and can be used again", async () => {
    const connections = await connected({ frail: misbehaving() });
    const firstPid = connections.states()[0]?.pid;

    await expect(call(connections, "frail/die")).rejects.toMatchObject({
      code: "mcp_error",
      message: expect.stringMatching(
        /MCP server "frail" exited with code 7 before it answered "die".*check the effect/,
      ),
    });
    const restarting = connections.toolSet();
    const answer = await call(connections, "frail/echo", { after: "restart" });

    expect(restarting.mcpServers).toEqual([
      { name: "frail", state: "starting", note: "it ended and is being restarted" },
    ]);
    expect(answer.structuredContent).toEqual({ input: { after: "restart" } });
    expect(connections.states()).toMatchObject([{ state: "ready" }]);
    expect(connections.states()[0]?.pid).not.toBe(firstPid);
  });

  it("MCPC-2 a server that is killed in a call is told with the signal", async () => {
    const connections = await connected({ frail: misbehaving() });

    const running = call(connections, "frail/die_by_signal");

    await expect(running).rejects.toThrow('MCP server "frail" exited on SIGKILL before it answered "die_by_signal"');
  });

  it("MCPC-2 a server that dies again without having answered is left alone, with a note", async () => {
    const connections = await connected({ frail: misbehaving() });

    await expect(call(connections, "frail/die")).rejects.toThrow("exited with code 7 before it answered");
    await expect(call(connections, "frail/die")).rejects.toThrow("exited with code 7 before it answered");
    await changed(connections, () => connections.states()[0]?.state === "failed");

    expect(connections.states()[0]?.note).toMatch(/ended with exit code 7 again after one restart; it said "ready to/);
    expect(connections.toolSet()).toEqual({
      tools: [],
      mcpServers: [{ name: "frail", state: "failed", note: "the server ended" }],
    });
  });

  it("a tool of a server that failed meanwhile rejects and says so", async () => {
    const marker = join(temporaryFolder(), "broken");
    const connections = await connected({ frail: misbehaving(`die-on-start=${marker}`) });
    const { tools } = connections.toolSet();
    writeFileSync(marker, "");

    await expect(call(connections, "frail/die")).rejects.toThrow("exited with code 7 before it answered");
    const echo = tools.find((tool) => tool.name === "echo");
    const late = (async () => echo?.execute({}, { signal: new AbortController().signal } as never))();

    await expect(late).rejects.toMatchObject({
      code: "mcp_error",
      message: expect.stringMatching(/MCP server "frail" is not available for "echo": the server ended\./),
    });
  });

  it("a server that closes its output counts as dead", async () => {
    const connections = await connected({ mute: misbehaving("ignore-sigterm") });
    const pid = connections.states()[0]?.pid ?? 0;

    await expect(call(connections, "mute/close_output")).rejects.toThrow("closed the connection before it answered");
    await changed(connections, () => connections.states()[0]?.state === "ready");

    expect(isAlive(pid)).toBe(false);
  });

  it("MCP-8 a call without an answer ends after its timeout, and the server is told", async () => {
    const log = join(temporaryFolder(), "log");
    const connections = await connected({ slow: { ...misbehaving(`log=${log}`), timeoutMs: 50 } });

    await expect(call(connections, "slow/hang")).rejects.toMatchObject({
      code: "mcp_error",
      message: expect.stringMatching(/"slow" did not answer "hang" within 50 ms and was told to stop/),
    });
    await fileHolds(log, "cancelled");

    expect(connections.states()).toMatchObject([{ state: "ready" }]);
  });

  it("MCP-8 a cancelled call tells the server and rejects", async () => {
    const log = join(temporaryFolder(), "log");
    const connections = await connected({ slow: misbehaving(`log=${log}`) });
    const abort = new AbortController();

    const running = call(connections, "slow/hang", {}, { signal: abort.signal });
    await fileHolds(log, "hang");
    abort.abort(new Error("changed my mind"));

    await expect(running).rejects.toThrow('The call of "hang" on MCP server "slow" was cancelled');
    await fileHolds(log, "cancelled");
  });

  it("MCP-8 progress keeps a call alive beyond its timeout, but not for ever", async () => {
    const connections = await connected({ busy: { ...misbehaving(), timeoutMs: 500 } });
    const updates: unknown[] = [];

    const running = call(connections, "busy/progress", {}, { onUpdate: (partial) => updates.push(partial) });

    await expect(running).rejects.toThrow(/reported progress on "progress" but no result within 5000 ms/);
    expect(updates.slice(0, 2)).toEqual(["step 1", "step 2"]);
  });

  it("MCP-8 progress that comes together with the answer is not lost", async () => {
    const connections = await connected({ one: misbehaving() });
    const updates: unknown[] = [];

    await call(connections, "one/hasty", {}, { onUpdate: (partial) => updates.push(partial) });

    expect(updates).toEqual(["nearly done"]);
  });

  it("disposing rejects calls that are pending", async () => {
    const log = join(temporaryFolder(), "log");
    const connections = await connected({ slow: misbehaving(`log=${log}`) });
    const running = call(connections, "slow/hang");
    const rejected = expect(running).rejects.toMatchObject({ code: "mcp_error" });
    await fileHolds(log, "hang");

    await connections[Symbol.asyncDispose]();

    await rejected;
  });

  it("a protocol error rejects with what the server said and where the input is described", async () => {
    const connections = await connected({ strict: misbehaving() });

    await expect(call(connections, "strict/refuse")).rejects.toMatchObject({
      name: "McpError",
      code: "mcp_error",
      server: "strict",
      details: { jsonRpcCode: -32_602 },
      message:
        'MCP server "strict" refused "refuse": MCP error -32602: no such thing (code -32602). Check the input with $api("refuse").',
    });
  });

  it("an answer that is no result rejects instead of hanging", async () => {
    const connections = await connected({ odd: misbehaving() });

    await expect(call(connections, "odd/odd")).rejects.toThrow("the answer is no valid JSON-RPC response");
  });

  it("an input that is no object is refused before it is sent", async () => {
    const connections = await connected({ one: misbehaving() });

    await expect(call(connections, "one/echo", ["a"])).rejects.toThrow(
      '"echo" of MCP server "one" takes one object, for example {}; it got an array.',
    );
  });

  it("MCP-2 isError resolves", async () => {
    const connections = await connected({ one: misbehaving() });

    expect(await call(connections, "one/fail")).toEqual({
      content: [{ type: "text", text: "disk full" }],
      isError: true,
    });
  });

  it("a reply of 12 MB arrives whole and the server lives on", async () => {
    const connections = await connected({ one: misbehaving() });

    const result = await call(connections, "one/big");

    expect(String(result.content?.[0]?.text).length).toBe(12 * 1024 * 1024);
    expect(connections.states()).toMatchObject([{ state: "ready" }]);
  });

  it("a reply of 30,000 levels harms neither the client nor the server", async () => {
    const connections = await connected({ one: misbehaving() });

    const result = await call(connections, "one/deep");

    expect(result.content).toEqual([{ type: "text", text: "deep" }]);
    expect(connections.states()).toMatchObject([{ state: "ready" }]);
  });

  it("MCP-7 images, sounds and blobs become placeholders and no base64 is left", async () => {
    const connections = await connected({ one: misbehaving() });

    const result = await call(connections, "one/media");

    const [text, image, audio, blob] = result.content ?? [];
    expect(result).not.toHaveProperty("_meta");
    expect(text).toEqual({ type: "text", text: "three items follow" });
    expect(image).toEqual({
      type: "image",
      mimeType: "image/png",
      bytes: 7,
      handle: expect.stringMatching(/^mcp-media:[0-9a-f]{32}$/),
      placeholder: expect.stringMatching(/^\[image\/png, 7 bytes: kept on the host as mcp-media:/),
    });
    expect(audio).toMatchObject({ type: "audio", mimeType: "audio/wav", bytes: 6 });
    expect(blob).toMatchObject({
      type: "resource",
      resource: { uri: "file:///a.bin", mimeType: "application/pdf", bytes: 4 },
    });
    expect(connections.media(String(image?.handle))?.data.toString()).toBe(Buffer.from("picture").toString());
    for (const data of ["picture", "sound!", "blob"]) {
      expect(JSON.stringify(result)).not.toContain(Buffer.from(data).toString("base64"));
    }
  });
});

describe("lists of tools", () => {
  it("MCP-8 all pages of a list are read", async () => {
    const whole = await connected({ one: misbehaving(), paged: misbehaving("paginate") });

    expect(toolNames(whole, "paged")).toHaveLength(21);
    expect(toolNames(whole, "paged")).toEqual(toolNames(whole, "one"));
  });

  it("a list that repeats a page is cut and reported", async () => {
    const connections = await connected({ endless: misbehaving("endless-pages") });

    expect(connections.states()).toMatchObject([{ state: "ready" }]);
    expect(connections.states()[0]?.problems).toContainEqual({
      problem: "its list repeats a page for ever; it was cut there",
    });
    expect(toolNames(connections, "endless")).toEqual(["echo"]);
  });

  it("MCP-8 a changed list is read again, and listeners hear of it", async () => {
    const connections = await connected({ one: misbehaving() });
    const before = connections.toolSet();

    await call(connections, "one/change");
    await changed(connections, () => connections.toolSet() !== before);

    expect(toolNames(connections, "one")).toContain("changed");
    expect(toolNames(connections, "one")).not.toContain("change");
  });

  it("an announced change that is none leaves the tool set as it is", async () => {
    const log = join(temporaryFolder(), "log");
    const connections = await connected({ one: misbehaving(`log=${log}`) });
    const before = connections.toolSet();

    await call(connections, "one/announce");
    await fileHolds(log, "list\nlist");
    await call(connections, "one/echo");

    expect(connections.toolSet()).toBe(before);
  });

  it("one broken tool never loses the others: each defect is reported by tool", async () => {
    const connections = await connected({ sloppy: misbehaving("bad-schemas") });

    const [status] = connections.states();
    expect(status?.state).toBe("ready");
    expect(toolNames(connections, "sloppy")).toEqual(
      [
        "__proto__",
        "array_output",
        "array_schema",
        "bad_pattern",
        "boolean_property",
        "dangling_ref",
        "deep",
        "external_ref",
        "good_first",
        "good_last",
        "huge",
        "no_root_type",
        "no_schema",
        "null_description",
        "null_output",
        "null_schema",
        "root_any_of",
        "text_schema",
        "wants_tasks",
      ].sort(),
    );
    const problems = status?.problems.map(({ tool, problem }) => `${tool ?? "-"}: ${problem}`);
    expect(problems).toMatchInlineSnapshot(`
      [
        "-: left out a tool whose name is missing or no text; a name has 1 to 256 characters",
        "-: left out a tool whose name is missing or no text; a name has 1 to 256 characters",
        "-: left out a tool whose name is empty; a name has 1 to 256 characters",
        "-: left out a tool whose name is missing or no text; a name has 1 to 256 characters",
        "-: left out a tool whose name is missing or no text; a name has 1 to 256 characters",
        "null_description: its description is no text and was dropped",
        "no_schema: it has no inputSchema; any object is accepted",
        "null_schema: its inputSchema is no JSON Schema object and was dropped",
        "text_schema: its inputSchema is no JSON Schema object and was dropped",
        "array_schema: its inputSchema is no JSON Schema object and was dropped",
        "dangling_ref: its inputSchema refers to "#/$defs/Gone", which does not exist",
        "external_ref: its inputSchema refers to "https://127.0.0.1:1/schema.json" outside itself, which is never fetched",
        "bad_pattern: its inputSchema has the pattern "(", which is no regular expression",
        "null_output: its outputSchema is no JSON Schema object and was dropped",
        "good_first: it is listed twice; the first one counts",
        "deep: its inputSchema is too deep or has more than 524288 bytes and was dropped",
        "huge: its inputSchema is too deep or has more than 524288 bytes and was dropped",
        "wants_tasks: it asks for task support, which is not offered; calls may fail",
      ]
    `);
  });

  it("a tool keeps its label and schemas; a schema that cannot be used is any object", async () => {
    const connections = await connected({ sloppy: misbehaving("bad-schemas") });
    const tools = new Map(connections.toolSet().tools.map((tool) => [tool.name, tool]));

    expect(tools.get("good_first")).toMatchObject({
      label: "Good",
      description: "Fine.",
      parameters: { type: "object", properties: {} },
      outputSchema: { type: "object", properties: {} },
    });
    for (const name of ["no_schema", "null_schema", "text_schema", "array_schema", "deep", "huge"]) {
      expect(tools.get(name)?.parameters).toEqual({ type: "object" });
    }
    expect(tools.get("null_description")?.description).toBe("");
    expect(tools.get("array_output")?.outputSchema).toEqual({ type: "array", items: { type: "string" } });
  });
});

describe("listeners", () => {
  it("a listener that throws keeps nobody from hearing", async () => {
    const heard: string[] = [];
    const lines: string[] = [];
    const connections = connect(
      { one: misbehaving() },
      {
        onChange: () => {
          throw new Error("bad listener");
        },
        onStderr: (server, line) => lines.push(`${server}: ${line}`),
      },
    );
    connections.onChange(() => heard.push(connections.states()[0]?.state ?? ""));

    await connections.ready();

    expect(heard).toEqual(["ready"]);
    expect(lines).toContain("code-mode: a listener of MCP changes failed: bad listener");
  });

  it("the log names the time and server of each line and reads as plain text", async () => {
    const logFile = join(temporaryFolder(), "mcp.log");
    const connections = await connected({ one: misbehaving() }, { logFile });

    await connections[Symbol.asyncDispose]();

    expect(readFileSync(logFile, "utf8")).toMatch(/^\d{4}-\d\d-\d\dT.*Z \[one] ready to misbehave .*\n$/);
  });
});
