import { type Command, Option } from "commander";
import { type CommonOptions, withCommonOptions } from "../common-options.ts";
import type { Run } from "../run-program.ts";

/** Options of `codemode trajectory`. */
export type TrajectoryOptions = CommonOptions & { readonly format: "jsonl" | "html"; readonly out?: string };

/** Adds `codemode trajectory` (CLI-8). */
export function addTrajectory(program: Command, run: Run): void {
  const command = program
    .command("trajectory")
    .description("Export what happened in a session, also while the gateway runs.")
    .argument("<session>", "id of the session")
    .addOption(
      new Option("--format <format>", "JSON Lines, or one HTML page").choices(["jsonl", "html"]).default("jsonl"),
    )
    .option("--out <file>", "write to this file instead of stdout");
  withCommonOptions(command, "codemode trajectory demo --format html --out demo.html");
  command.action((session: string, options: TrajectoryOptions) =>
    run(async () => {
      const { trajectoryCommand } = await import("./trajectory-command.ts");
      return trajectoryCommand(session, options);
    }),
  );
}
