import type { Command } from "commander";
import { type CommonOptions, withCommonOptions } from "../common-options.ts";
import type { Run } from "../run-program.ts";

/** Options of `codemode tools`. */
export type ToolsOptions = CommonOptions & {
  readonly describe?: string;
  readonly limit?: string;
  readonly explain?: boolean;
  readonly agent?: string;
  readonly session?: string;
  readonly sender?: string;
  readonly channel?: string;
  readonly json?: boolean;
};

/** Adds `codemode tools` (CLI-6). */
export function addTools(program: Command, run: Run): void {
  const command = program
    .command("tools")
    .description("List, search or describe the tools that programs can call.")
    .argument("[query]", "words to search for")
    .option("--describe <id>", "show one tool with its schemas")
    .option("--limit <n>", "most tools found by a query (default 20)")
    .option("--explain", "say of every known tool whether it is visible, direct-only, denied or unavailable, and why")
    .option("--agent <id>", "agent whose rules apply (default: main)")
    .option("--session <id>", "with --explain: session whose rules apply too (default: main)")
    .option("--sender <id>", "with --explain: sender whose rules apply too")
    .option("--channel <name>", "with --explain: channel whose rules apply too")
    .option("--json", "print JSON");
  withCommonOptions(command, "codemode tools 'read file' --json");
  command.action((query: string | undefined, options: ToolsOptions) =>
    run(async (signal) => {
      if (options.explain) {
        const { explainCommand } = await import("./explain-command.ts");
        return explainCommand(query, options, signal);
      }
      const { toolsCommand } = await import("./tools-command.ts");
      return toolsCommand(query, options, signal);
    }),
  );
}
