import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CliFolder, type Running } from "./cli-process.ts";

const shownUrl = "http://127.0.0.1:18790";
const documentation = readFileSync(join(import.meta.dirname, "../../docs/quickstart.md"), "utf8");

/** The code blocks of the page in order: files to write, and commands with what they print. */
type Block = { readonly file: string | undefined; readonly text: string };

function blocksOf(markdown: string): readonly Block[] {
  return [...markdown.matchAll(/^```(\w+)(?: file=(\S+))?\n([\s\S]*?)^```$/gm)].map(
    ([, , file, text = ""]): Block => ({ file, text }),
  );
}

type Command = { readonly line: string; readonly output: string };

function commandsOf(text: string): readonly Command[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [line = "", ...rest] = part.trimEnd().split("\n");
      return { line, output: rest.join("\n") };
    });
}

/** `…` stands for whatever is there. */
function toPattern(output: string): RegExp {
  const parts = output.split("…").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*?")}$`, "s");
}

/** Words of a command line, as a shell would cut them; the only variable is the token. */
function wordsOf(line: string, token: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? (double ?? bare ?? "").replaceAll("$TOKEN", token),
  );
}

/** What curl would print; the machine of the test may have none. */
async function curl(words: readonly string[]): Promise<string> {
  const headers: Record<string, string> = {};
  let [url, body]: [string, string | undefined] = ["", undefined];
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? "";
    const next = words[at + 1] ?? "";
    if (word === "-H") headers[next.slice(0, next.indexOf(":"))] = next.slice(next.indexOf(":") + 1).trim();
    else if (word === "-d") body = next;
    else if (word.startsWith("http")) url = word;
    if (word === "-H" || word === "-d") at++;
  }
  const reply = await fetch(url, { headers, ...(body === undefined ? {} : { method: "POST", body }) });
  return reply.text();
}

/** The session of the page, played on a gateway of its own. */
class Session {
  readonly #folder: CliFolder;
  #gateway: Running | undefined;
  #url = "";

  constructor(folder: CliFolder) {
    this.#folder = folder;
  }

  async run(line: string): Promise<string> {
    const words = wordsOf(line.replaceAll(shownUrl, this.#url), this.#token());
    const [program, ...args] = words;
    if (line.startsWith("TOKEN=")) return "";
    if (program === "curl") return this.#shown(await curl(words));
    if (program === "node") {
      const ended = spawnSync(process.execPath, args, { cwd: this.#folder.path, encoding: "utf8" });
      return this.#shown(ended.stdout + ended.stderr);
    }
    if (line === "codemode gateway") return this.#start();
    const ended = await this.#folder.run(args);
    return this.#shown(ended.stdout + (ended.code === 0 ? "" : ended.stderr));
  }

  write({ file = "", text }: Block): void {
    this.#folder.write(file, text.replaceAll(shownUrl, this.#url));
  }

  async stop(): Promise<number | null | undefined> {
    this.#gateway?.kill("SIGTERM");
    return (await this.#gateway?.ended)?.code;
  }

  async #start(): Promise<string> {
    this.#gateway = this.#folder.start(["gateway", "--port", "0"]);
    await this.#gateway.stderrHas("tools: core");
    const output = this.#gateway.stdout();
    this.#url = /listening on (\S+)/.exec(output)?.[1] ?? "";
    return this.#shown(output);
  }

  #token(): string {
    return this.#url === "" ? "" : readFileSync(join(this.#folder.path, ".codemode/token"), "utf8").trim();
  }

  #shown(output: string): string {
    return (this.#url === "" ? output : output.replaceAll(this.#url, shownUrl)).trimEnd();
  }
}

it("GW-2 CLI-2 the session of docs/quickstart.md runs as it is shown", async () => {
  using folder = new CliFolder();
  folder.write("node_modules/.keep", "");
  symlinkSync(join(import.meta.dirname, "../node_modules/openai"), join(folder.path, "node_modules/openai"));
  const session = new Session(folder);
  const ran: string[] = [];
  const play = async ({ line, output }: Command): Promise<void> => {
    ran.push(line);
    expect(await session.run(line), line).toMatch(toPattern(output));
  };
  try {
    for (const block of blocksOf(documentation)) {
      if (block.file !== undefined) session.write(block);
      for (const command of block.file === undefined ? commandsOf(block.text) : []) await play(command);
    }
  } finally {
    expect(await session.stop()).toBe(0);
  }
  expect(ran).toHaveLength(9);
});
