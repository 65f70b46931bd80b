import { gatewayConfigJsonSchema } from "../../config/config-schema.ts";
import { type ConfigOrigin, showConfig } from "../../config/show-config.ts";
import { type CommonOptions, configOf } from "../common-options.ts";
import { exitCodes } from "../exit-codes.ts";
import { colorsFor, printData, printNote, showText } from "../terminal.ts";

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

/** Prints the configuration that holds, value by value with its origin (CLI-10). */
export async function showConfigCommand(options: CommonOptions & { readonly json?: boolean }): Promise<number> {
  const shown = showConfig({ file: options.config, mcpConfigFile: options.mcpConfig });
  if (options.json) {
    await printData(JSON.stringify({ file: shown.file ?? null, entries: shown.entries }));
    return exitCodes.success;
  }
  const colors = colorsFor(process.stdout);
  for (const { key, value, origin } of shown.entries)
    await printData(`${showText(key)} = ${showText(JSON.stringify(value))}  ${colors.dim(originText(origin))}`);
  if (shown.file === undefined) printNote("no configuration file: the defaults hold.");
  return exitCodes.success;
}

function originText(origin: ConfigOrigin): string {
  if (origin.kind === "default") return "(default)";
  const env = (origin.env ?? []).map((name) => ` $${name}`).join("");
  return `(${origin.file}${origin.line === undefined ? "" : `:${origin.line}`}${env})`;
}
