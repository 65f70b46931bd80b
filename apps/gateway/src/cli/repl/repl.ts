import { createInterface, type Interface } from "node:readline";
import { type CodeModeLanguage, type CodeModeResult, messageOf, type RunScope } from "@code-mode/contract";
import { enabledCodeMode, type Host } from "../../compose.ts";
import { printResult } from "../print-result.ts";
import { runCell } from "../run-cell.ts";
import { printData, printNote, showLine, showText } from "../terminal.ts";
import { completeInput } from "./complete-input.ts";
import { isComplete } from "./is-complete.ts";
import { parseReplCommand, type ReplCommand, replCommands, replHelp, unknownCommand } from "./repl-commands.ts";
import { maxHistoryLines, type ReplHistory } from "./repl-history.ts";
import { loadResult, saveResult } from "./repl-results.ts";
import { ReplTools } from "./repl-tools.ts";

/** What a repl works with. */
export type ReplOptions = {
  readonly host: Host;
  readonly scope: RunScope;
  readonly language: CodeModeLanguage;
  readonly input: NodeJS.ReadableStream;
  /** Where prompts and what is typed are shown; results go to stdout. */
  readonly output: NodeJS.WritableStream;
  /** A person types: prompts, completion, history, line editing. */
  readonly terminal: boolean;
  readonly history: ReplHistory | undefined;
};

/** Reads programs and commands and runs them one after the other, until the input ends (CLI-5). */
export class Repl {
  readonly #options: ReplOptions;
  readonly #tools: ReplTools;
  readonly #lines: Interface;
  #cell: AbortController | undefined;
  #buffer = "";
  #last: CodeModeResult | undefined;
  #failures = 0;
  #closed = false;

  constructor(options: ReplOptions) {
    this.#options = options;
    this.#tools = new ReplTools(options.host, options.scope);
    const { input, output, terminal, history } = options;
    this.#lines = createInterface({
      input,
      ...(terminal ? { output } : {}),
      terminal,
      prompt: "> ",
      historySize: terminal ? maxHistoryLines : 0,
      ...(terminal ? { history: history?.load() ?? [], removeHistoryDuplicates: true } : {}),
      completer: (line: string) => completeInput(line, { ...this.#tools.names(), commands: Object.keys(replCommands) }),
    });
    this.#lines.on("SIGINT", () => this.#interrupt());
    this.#lines.once("close", () => {
      this.#closed = true;
    });
    if (terminal) this.#lines.on("history", (lines: string[]) => history?.save(lines));
  }

  /** Runs until the input ends, `.exit`, or the signal; gives how many programs failed. */
  async run(signal: AbortSignal): Promise<number> {
    const stop = (): void => {
      this.#cell?.abort();
      this.#lines.close();
    };
    signal.addEventListener("abort", stop, { once: true });
    this.#prompt();
    for await (const line of this.#lines) {
      if (signal.aborted || !(await this.#take(line))) break;
      this.#prompt();
    }
    if (!signal.aborted && this.#buffer.trim() !== "") await this.#runProgram(this.#buffer);
    signal.removeEventListener("abort", stop);
    this.#lines.close();
    return this.#failures;
  }

  async #take(line: string): Promise<boolean> {
    const command = this.#buffer === "" ? parseReplCommand(line) : undefined;
    if (command !== undefined) {
      if (command.name === ".exit") return false;
      await this.#runCommand(command).catch((error: unknown) => printNote(showText(messageOf(error))));
      return true;
    }
    this.#buffer = this.#buffer === "" ? line : `${this.#buffer}\n${line}`;
    // two empty lines end what a person cannot complete
    const givenUp = this.#options.terminal && /\n\s*\n\s*$/.test(this.#buffer);
    if (!givenUp && !isComplete(this.#buffer, this.#options.language)) return true;
    const program = this.#buffer;
    this.#buffer = "";
    if (program.trim() !== "") await this.#runProgram(program);
    return true;
  }

  async #runCommand({ name, args }: ReplCommand): Promise<void> {
    const [first] = args;
    if (name === ".help") return printData(replHelp());
    if (name === ".tools") return this.#list(args.join(" "));
    if (!(name in replCommands)) return printNote(unknownCommand(name));
    if (first === undefined) return printNote(`usage: ${replCommands[name]}`);
    const run = (code: string): Promise<CodeModeResult> => this.#run({ code });
    if (name === ".describe") return printData(showText(JSON.stringify(this.#tools.describe(first), undefined, 2)));
    if (name === ".save") {
      await saveResult(first, { id: args[1], last: this.#last, run });
      return printNote(`saved in ${first}`);
    }
    return printData(await loadResult(first, run));
  }

  async #list(query: string): Promise<void> {
    const found = this.#tools.list(query);
    const width = Math.min(50, Math.max(0, ...found.map(({ call }) => call.length)));
    for (const { call, description } of found)
      await printData(`${showLine(call).padEnd(width)}  ${showLine(description).slice(0, 100)}`);
    if (found.length === 0) printNote("no tool found; .tools lists all.");
  }

  async #runProgram(code: string): Promise<void> {
    const { language } = this.#options;
    this.#last = await this.#run({ code, language });
    if (this.#last.status === "failed") this.#failures += 1;
    await printResult(this.#last);
  }

  async #run(input: { readonly code: string; readonly language?: CodeModeLanguage }): Promise<CodeModeResult> {
    const cell = new AbortController();
    this.#cell = cell;
    const { scope, host } = this.#options;
    const result = await runCell(enabledCodeMode(host), input, {
      scope,
      signal: cell.signal,
      wait: true,
      onWaiting: ({ reason, pendingToolCalls = [] }) => {
        const calls = pendingToolCalls.map(({ id, status }) => `${showLine(id)} (${status})`);
        printNote(`… waiting (${reason})${calls.length === 0 ? "" : `: ${calls.join(", ")}`}`);
      },
    });
    this.#cell = undefined;
    return result;
  }

  /** Ctrl-C ends what runs, else drops what is typed. */
  #interrupt(): void {
    if (this.#cell !== undefined) {
      this.#cell.abort();
      return;
    }
    this.#buffer = "";
    this.#options.output.write("\n(.exit or Ctrl-D leaves)\n");
    this.#lines.write(null, { ctrl: true, name: "u" });
    this.#prompt();
  }

  #prompt(): void {
    if (!this.#options.terminal || this.#closed) return;
    this.#lines.setPrompt(this.#buffer === "" ? "> " : "… ");
    this.#lines.prompt();
  }
}
