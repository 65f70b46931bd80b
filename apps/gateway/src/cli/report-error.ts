import { CodeModeError, messageOf } from "@code-mode/contract";
import { exitCodes } from "./exit-codes.ts";
import { printNote } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

/** Says on stderr what went wrong and gives the exit code. A wrong configuration is wrong usage. */
export function reportError(error: unknown, { debug }: { readonly debug: boolean }): number {
  const message = messageOf(error);
  printNote(
    message
      .split("\n")
      .map((line) => `error: ${line}`)
      .join("\n"),
  );
  if (debug && error instanceof Error) printNote(stackOf(error));
  else if (!isExpected(error))
    printNote("This was not expected. Run the command again with --debug to see where it happened.");
  const usage = error instanceof UsageError || (CodeModeError.is(error) && error.code === "invalid_input");
  return usage ? exitCodes.wrongUsage : exitCodes.workFailed;
}

function isExpected(error: unknown): boolean {
  return error instanceof UsageError || CodeModeError.is(error);
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by: ${stackOf(error.cause)}` : "";
  return `${error.stack ?? error.message}${cause}`;
}
