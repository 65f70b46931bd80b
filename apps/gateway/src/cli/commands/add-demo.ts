import type { Command } from "commander";
import { type CommonOptions, withCommonOptions } from "../common-options.ts";
import type { Run } from "../run-program.ts";

/** Adds `codemode demo` (CLI-1). */
export function addDemo(program: Command, run: Run): void {
  const command = program
    .command("demo")
    .description("Run one whole agent turn with a scripted model, two MCP servers and a plugin. Needs no key.")
    .option("--json", "print the report as JSON");
  withCommonOptions(command, "codemode demo");
  command.action((options: CommonOptions & { json?: boolean }) =>
    run(async (signal) => {
      const { demoCommand } = await import("./demo-command.ts");
      return demoCommand(options, signal);
    }),
  );
}
