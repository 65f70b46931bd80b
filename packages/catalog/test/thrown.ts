import { CodeModeError } from "@code-mode/contract";

/** The `CodeModeError` that the action throws; a test that gets none fails. */
export function thrown(action: () => unknown): CodeModeError {
  try {
    action();
  } catch (error) {
    if (CodeModeError.is(error)) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
