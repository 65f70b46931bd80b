import type { Command } from "commander";
import { type CommonOptions, withCommonOptions } from "../common-options.ts";
import type { Run } from "../run-program.ts";

/** Adds `codemode config`. */
export function addConfig(program: Command, run: Run): void {
  const config = program
    .command("config")
    .description("Check the configuration file, show what holds, or print its schema.")
    .addHelpText("after", "\nExample:\n  codemode config check");
  const check = config.command("check").description("Say whether the configuration can be used.");
  withCommonOptions(check, "codemode config check --config codemode.config.json5");
  check.action((options: CommonOptions) =>
    run(async () => {
      const { checkConfigCommand } = await import("./config-commands.ts");
      return checkConfigCommand(options);
    }),
  );
  const show = config
    .command("show")
    .description("Print every value that holds and where it comes from; secrets are masked.")
    .option("--json", "print JSON");
  withCommonOptions(show, "codemode config show");
  show.action((options: CommonOptions & { json?: boolean }) =>
    run(async () => {
      const { showConfigCommand } = await import("./config-commands.ts");
      return showConfigCommand(options);
    }),
  );
  const schema = config.command("schema").description("Print the JSON Schema of the configuration file.");
  withCommonOptions(schema, "codemode config schema > config.schema.json");
  schema.action(() =>
    run(async () => {
      const { printSchemaCommand } = await import("./config-commands.ts");
      return printSchemaCommand();
    }),
  );
}
