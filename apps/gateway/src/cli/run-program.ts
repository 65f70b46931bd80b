import { createRequire } from "node:module";
import { constants } from "node:os";
import { Command, CommanderError } from "commander";
import { addApprovals } from "./commands/add-approvals.ts";
import { addConfig } from "./commands/add-config.ts";
import { addDemo } from "./commands/add-demo.ts";
import { addDoctor } from "./commands/add-doctor.ts";
import { addExec } from "./commands/add-exec.ts";
import { addGateway } from "./commands/add-gateway.ts";
import { addMcp } from "./commands/add-mcp.ts";
import { addRepl } from "./commands/add-repl.ts";
import { addTools } from "./commands/add-tools.ts";
import { addTrajectory } from "./commands/add-trajectory.ts";
import { exitCodes } from "./exit-codes.ts";
import { reportError } from "./report-error.ts";
import { printNote } from "./terminal.ts";

/** How a command ends after a signal. */
export type RunOptions = {
  /** A signal is the usual end: the exit code is that of the work (GW-8). */
  readonly drains?: boolean;
};

/** Work of a command: gets a signal that SIGINT, SIGTERM and SIGHUP abort, gives the exit code. */
export type Run = (work: (signal: AbortSignal) => Promise<number>, options?: RunOptions) => Promise<void>;

/** Longest a command may take to clean up after a signal; then the process ends as it is. */
const cleanUpMs = 10_000;

/** The same for a gateway, which lets turns end first: all must be over within 15 s (GW-8). */
const drainMs = 14_500;

/** Parses the command line, runs the command and ends the process with its exit code. */
export async function runProgram(argv: readonly string[]): Promise<void> {
  const debug = argv.includes("--debug");
  process.stdout.on("error", endAfterWriteError);
  const program = buildProgram((work, options) => runWork(work, { debug, ...options }));
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    if (!(error instanceof CommanderError)) await end(reportError(error, { debug }));
    // commander has printed the help or what is wrong
    else await end(error.exitCode === 0 ? exitCodes.success : exitCodes.wrongUsage);
  }
}

function buildProgram(run: Run): Command {
  const { version } = createRequire(import.meta.url)("../../package.json") as { version: string };
  const program = new Command("codemode")
    .description("Let a model write one small program instead of many tool calls.")
    .version(version)
    .exitOverride()
    .showSuggestionAfterError()
    .showHelpAfterError("(codemode --help shows what there is)")
    .addHelpText("after", "\nExample:\n  codemode demo");
  for (const add of [
    addDemo,
    addGateway,
    addMcp,
    addExec,
    addRepl,
    addTools,
    addDoctor,
    addConfig,
    addApprovals,
    addTrajectory,
  ])
    add(program, run);
  return program;
}

async function runWork(
  work: (signal: AbortSignal) => Promise<number>,
  { debug, drains = false }: { readonly debug: boolean } & RunOptions,
): Promise<void> {
  const stop = new AbortController();
  let exitAfterSignal: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    const code = 128 + constants.signals[signal];
    if (exitAfterSignal !== undefined) process.exit(code);
    exitAfterSignal = code;
    setTimeout(() => process.exit(code), drains ? drainMs : cleanUpMs).unref();
    stop.abort();
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal).on("SIGHUP", onSignal);
  let code: number;
  try {
    code = await work(stop.signal);
    if (!drains) code = exitAfterSignal ?? code;
  } catch (error) {
    code = exitAfterSignal ?? reportError(error, { debug });
  }
  await end(code);
}

/** Nobody can read what follows; a closed pipe (`| head`) is no news to anyone. */
function endAfterWriteError(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") printNote(`error: stdout cannot be written (${error.message}).`);
  process.exit(exitCodes.workFailed);
}

/** Ends the process once stdout and stderr have taken everything; a pipe may still hold a large result. */
async function end(code: number): Promise<void> {
  await Promise.all(
    [process.stdout, process.stderr].map((stream) => new Promise<void>((resolve) => stream.write("", () => resolve()))),
  );
  process.exit(code);
}
