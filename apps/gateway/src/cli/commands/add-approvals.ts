import type { Command } from "commander";
import { type CommonOptions, withCommonOptions } from "../common-options.ts";
import type { Run } from "../run-program.ts";

/** Options of `codemode approvals` and its parts. */
export type ApprovalsOptions = CommonOptions & {
  readonly url?: string;
  readonly session?: string;
  readonly state?: string;
  readonly reason?: string;
  readonly json?: boolean;
};

/** Adds `codemode approvals` (CLI-9). */
export function addApprovals(program: Command, run: Run): void {
  const approvals = program
    .command("approvals")
    .description("List and decide the calls that wait for an approval in a running gateway or MCP server.")
    .addHelpText("after", "\nExample:\n  codemode approvals approve apr_0123");
  const list = approvals.command("list", { isDefault: true }).description("List the calls that wait.");
  list.option("--session <id>", "only those of one session");
  list.option("--state <state>", "pending, approved, denied, expired, closed or all (default: pending)");
  withOptions(list, "codemode approvals list --json").action((options: ApprovalsOptions) =>
    run(async (signal) => (await import("./approvals-command.ts")).listApprovalsCommand(options, signal)),
  );
  const approve = approvals.command("approve").description("Let one call run.").argument("<id>", "id of the approval");
  const deny = approvals.command("deny").description("Refuse one call.").argument("<id>", "id of the approval");
  for (const [command, approved] of [
    [approve, true],
    [deny, false],
  ] as const) {
    command.option("--reason <text>", "told to the program and kept in the record");
    const example = `codemode approvals ${command.name()} apr_0123${approved ? "" : ' --reason "not today"'}`;
    withOptions(command, example).action((id: string, options: ApprovalsOptions) =>
      run(async (signal) => {
        const { decideApprovalCommand } = await import("./approvals-command.ts");
        return decideApprovalCommand({ id, approved, options }, signal);
      }),
    );
  }
}

function withOptions(command: Command, example: string): Command {
  command.option(
    "--url <url>",
    "address of the gateway (default: gateway.host and gateway.port, and all of the data folder)",
  );
  command.option("--json", "print JSON");
  return withCommonOptions(command, example);
}
