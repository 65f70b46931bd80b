import type { Command } from "commander";
import { type CommonOptions, withCommonOptions } from "../common-options.ts";
import type { Run } from "../run-program.ts";

/** Options of `codemode doctor`. */
export type DoctorOptions = CommonOptions & { readonly json?: boolean };

/** Adds `codemode doctor` (CLI-7). */
export function addDoctor(program: Command, run: Run): void {
  const command = program
    .command("doctor")
    .description("Check configuration, engine, plugins, MCP servers, port and data folder; one line each.")
    .option("--json", "print JSON");
  withCommonOptions(command, "codemode doctor");
  command.action((options: DoctorOptions) =>
    run(async (signal) => {
      const { doctorCommand } = await import("./doctor-command.ts");
      return doctorCommand(options, signal);
    }),
  );
}
