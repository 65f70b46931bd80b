import type { Command } from "commander";
import { type CommonOptions, withCommonOptions } from "../common-options.ts";
import type { Run } from "../run-program.ts";

/** Adds `codemode mcp` (CLI-3). */
export function addMcp(program: Command, run: Run): void {
  const command = program
    .command("mcp")
    .description(
      "Serve exec and wait to one MCP client on stdin and stdout. Code mode is on here, whatever tools.codeMode.enabled says.",
    );
  withCommonOptions(command, "codemode mcp --config codemode.config.json5");
  command.action((options: CommonOptions) =>
    run(async (signal) => {
      const { mcpCommand } = await import("./mcp-command.ts");
      return mcpCommand(options, signal);
    }),
  );
}
