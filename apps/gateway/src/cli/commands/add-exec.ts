import type { Command } from "commander";
import type { CommonOptions } from "../common-options.ts";
import { withCommonOptions } from "../common-options.ts";
import type { Run } from "../run-program.ts";

/** Options of `codemode exec`. */
export type ExecOptions = CommonOptions & {
  readonly eval?: string;
  readonly language?: string;
  readonly wait?: boolean;
  readonly timeoutMs?: string;
  readonly json?: boolean;
};

/** Adds `codemode exec` (CLI-4). */
export function addExec(program: Command, run: Run): void {
  const command = program
    .command("exec")
    .description(
      "Run one program against the configured tools and print its result. Code mode is on here, whatever tools.codeMode.enabled says.",
    )
    .argument("[file]", "file with the program; - reads it from stdin")
    .option("-e, --eval <code>", "the program itself")
    .option("--language <name>", "javascript or typescript (default: from the file name, else javascript)")
    .option("--wait", "keep waiting until the program ends")
    .option("--timeout-ms <n>", "budget of one exec or wait call, 100 to 60000")
    .option("--json", "print the result object on one line");
  withCommonOptions(command, "codemode exec -e 'return (await tools.search(\"read file\"))[0].id'");
  command.action((file: string | undefined, options: ExecOptions) =>
    run(async (signal) => {
      const { execCommand } = await import("./exec-command.ts");
      return execCommand(file, options, signal);
    }),
  );
}
