/** The command was called wrongly: exit code 2, message on stderr. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
