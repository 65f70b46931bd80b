import type { Command } from "commander";
import { type CommonOptions, withCommonOptions } from "../common-options.ts";
import type { Run } from "../run-program.ts";

/** Options of `codemode gateway`. */
export type GatewayOptions = CommonOptions & { readonly port?: string; readonly json?: boolean };

/** Adds `codemode gateway` (CLI-2). */
export function addGateway(program: Command, run: Run): void {
  const command = program
    .command("gateway")
    .description("Serve turns of agents and MCP clients over HTTP until SIGINT or SIGTERM.")
    .option("--port <n>", "port to listen on; 0 takes a free one (default: gateway.port, 18790)")
    .option("--json", "print where it listens as one line of JSON");
  withCommonOptions(command, "codemode gateway --config codemode.config.json5");
  command.action((options: GatewayOptions) =>
    run(
      async (signal) => {
        const { gatewayCommand } = await import("./gateway-command.ts");
        return gatewayCommand(options, signal);
      },
      { drains: true },
    ),
  );
}
