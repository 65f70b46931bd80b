import type { Command } from "commander";
import { type CommonOptions, withCommonOptions } from "../common-options.ts";
import type { Run } from "../run-program.ts";

/** Options of `codemode repl`. */
export type ReplCommandOptions = CommonOptions & { readonly language?: string; readonly timeoutMs?: string };

/** Adds `codemode repl` (CLI-5). */
export function addRepl(program: Command, run: Run): void {
  const command = program
    .command("repl")
    .description(
      "Run programs one after the other, typed or from a pipe. Code mode is on here, whatever tools.codeMode.enabled says.",
    )
    .option("--language <name>", "javascript or typescript (default: javascript)")
    .option("--timeout-ms <n>", "budget of one part of a program, 100 to 60000");
  withCommonOptions(command, "codemode repl");
  command.action((options: ReplCommandOptions) =>
    run(async (signal) => {
      const { replCommand } = await import("./repl-command.ts");
      return replCommand(options, signal);
    }),
  );
}
