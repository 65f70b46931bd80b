import type { Command } from "commander";
import { type GatewayConfig, loadConfig } from "../config/load-config.ts";

/** Options that every command has. */
export type CommonOptions = { readonly config?: string; readonly mcpConfig?: string; readonly debug?: boolean };

/** Adds the options of every command and an example under its help. */
export function withCommonOptions(command: Command, example: string): Command {
  return command
    .option(
      "--config <file>",
      "configuration file (default: $CODEMODE_CONFIG, ./codemode.config.{json5,json,yaml}, user folder)",
    )
    .option("--mcp-config <file>", "more MCP servers, in the mcpServers format of other clients")
    .option("--debug", "show stacks of errors")
    .addHelpText("after", `\nExample:\n  ${example}`);
}

/** The configuration that the options name. */
export function configOf(options: CommonOptions): GatewayConfig {
  return loadConfig({ file: options.config, mcpConfigFile: options.mcpConfig });
}
