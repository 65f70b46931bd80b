import { gatewayConfigJsonSchema } from "../../config/config-schema.ts";
import { type CommonOptions, configOf } from "../common-options.ts";
import { exitCodes } from "../exit-codes.ts";
import { printData } from "../terminal.ts";

/** Reads the configuration as every command does, without starting anything. */
export async function checkConfigCommand(options: CommonOptions): Promise<number> {
  const { file, mcpServers, plugins } = configOf(options);
  const found = file === undefined ? "no configuration file: the defaults hold" : `${file}: ok`;
  await printData(`${found} (${Object.keys(mcpServers).length} MCP servers, ${plugins.length} plugins)`);
  return exitCodes.success;
}

/** Prints the schema that the parser is made from. */
export async function printSchemaCommand(): Promise<number> {
  await printData(JSON.stringify(gatewayConfigJsonSchema(), undefined, 2));
  return exitCodes.success;
}
