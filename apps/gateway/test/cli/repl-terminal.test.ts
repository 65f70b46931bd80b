import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { completeInput } from "../../src/cli/repl/complete-input.ts";
import { isComplete } from "../../src/cli/repl/is-complete.ts";
import { Repl } from "../../src/cli/repl/repl.ts";
import { ReplHistory } from "../../src/cli/repl/repl-history.ts";
import { createHost } from "../../src/compose.ts";
import { resolveConfig } from "../../src/config/load-config.ts";
import { TemporaryFolder } from "../temporary-folder.ts";

/** What a person sees, and the keys of the person. */
class Terminal {
  readonly input = new PassThrough();
  readonly output = new PassThrough();
  #text = "";
  #seen: (() => void) | undefined;

  constructor() {
    this.output.setEncoding("utf8").on("data", (text: string) => {
      this.#text += text;
      this.#seen?.();
    });
  }

  type(keys: string): void {
    this.input.write(keys);
  }

  /** Resolves when this text is shown after what was shown before; forgets everything up to it. */
  async shows(text: string): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#seen = () => {
        if (this.#text.includes(text)) resolve();
      };
      this.#seen();
    });
    this.#text = this.#text.slice(this.#text.indexOf(text) + text.length);
  }
}

const scope = { agentId: "main", sessionId: "s", sessionKey: "cli:s", agentRunId: "r" };

it("CLI-5 a person completes tool names with Tab, goes on over lines, and finds the last line with the arrow key", async () => {
  using folder = new TemporaryFolder();
  const config = resolveConfig({ tools: { codeMode: true } }, { baseDir: folder.path });
  const results: unknown[] = [];
  await using host = await createHost({
    config,
    observer: { onCellEvent: (event) => event.type === "cell_result" && results.push(event.result) },
  });
  const file = join(folder.path, ".codemode", "repl-history");
  const history = new ReplHistory(file, () => undefined);
  const terminal = new Terminal();
  const { input, output } = terminal;
  const repl = new Repl({ host, scope, language: "javascript", input, output, terminal: true, history });
  const ended = repl.run(new AbortController().signal);
  await terminal.shows("> ");
  terminal.type("(await tools.sea\t");
  await terminal.shows("rch");
  terminal.type("('read'))\r");
  await terminal.shows("> ");
  terminal.type("[1,\r");
  await terminal.shows("… ");
  terminal.type("2]\r");
  await terminal.shows("> ");
  terminal.type("\u001b[A");
  await terminal.shows("2]");
  terminal.type("\u0003");
  await terminal.shows(".exit or Ctrl-D leaves");
  terminal.type(".exit\r");
  expect(await ended).toBe(0);
  expect(results).toMatchObject([{ status: "completed" }, { status: "completed", value: [1, 2] }]);
  expect(readFileSync(file, "utf8")).toBe("(await tools.search('read'))\n[1,\n2]\n.exit\n");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(new ReplHistory(file, () => undefined).load()[0]).toBe(".exit");
});

it("CLI-5 Ctrl-C ends the program that runs and nothing else", async () => {
  using folder = new TemporaryFolder();
  const config = resolveConfig({ tools: { codeMode: true } }, { baseDir: folder.path });
  const started = Promise.withResolvers<void>();
  const results: { status: string; code?: string }[] = [];
  await using host = await createHost({
    config,
    observer: {
      onCellEvent(event) {
        if (event.type === "cell_started") started.resolve();
        if (event.type === "cell_result") results.push(event.result as { status: string });
      },
    },
  });
  const terminal = new Terminal();
  const { input, output } = terminal;
  const repl = new Repl({ host, scope, language: "javascript", input, output, terminal: true, history: undefined });
  const ended = repl.run(new AbortController().signal);
  await terminal.shows("> ");
  terminal.type("await new Promise(function (resolve) { setTimeout(resolve, 3600000) })\r");
  await started.promise;
  terminal.type("\u0003");
  await terminal.shows("> ");
  terminal.type("'next'\r");
  await terminal.shows("> ");
  terminal.type("\u0004");
  expect(await ended).toBe(1);
  expect(results.map(({ status, code }) => code ?? status)).toEqual(["aborted", "completed"]);
});

it.each([
  ["tools.re", ["tools.read"], "tools.re"],
  ["const x = await MC", ["MCP."], "MC"],
  ["MCP.fi", ["MCP.files."], "MCP.fi"],
  ["f(MCP.files.re", ["MCP.files.readFile", "MCP.files.remove"], "MCP.files.re"],
  ["results.s", ["results.save"], "results.s"],
  [".de", [".describe"], ".de"],
  [".describe openclaw:c", ["openclaw:core:read"], "openclaw:c"],
  [".describe tools.r", ["tools.read"], "tools.r"],
  ["1 + ", [], ""],
  ["nothing.like", [], "nothing.like"],
])("CLI-5 %j completes to %j", (line, found, word) => {
  const calls = ["tools.read", "MCP.files.readFile", "MCP.files.remove", "MCP.docs.find"];
  const commands = [".tools", ".describe"];
  expect(completeInput(line, { calls, ids: ["openclaw:core:read"], commands })).toEqual([found, word]);
});

it.each([
  ["1 + 1", true],
  ["", true],
  ["function f() {", false],
  ["foo(", false],
  ["`a", false],
  ["1 +", false],
  ["/* a", false],
  ["try { 1 }", false],
  ["async () =>", false],
  ["}", true],
  ["'a", true],
  ["/a", true],
  ["let 1x", true],
])("CLI-5 %j is complete: %j, in both languages", (code, complete) => {
  expect([isComplete(code, "javascript"), isComplete(code, "typescript")]).toEqual([complete, complete]);
});

it("CLI-5 a history that cannot be kept is said and nothing more", () => {
  using folder = new TemporaryFolder();
  const said: string[] = [];
  const history = new ReplHistory(join(folder.write("file", ""), "x"), (message) => said.push(message));
  expect(history.load()).toEqual([]);
  history.save(["1"]);
  expect(said).toEqual(Array(2).fill(expect.stringContaining("the history cannot be kept")));
});
