import { CodeModeError } from "@code-mode/contract";

/**
 * Proves that a text can name a session: it stands in URLs, file names of exports and logs.
 * @throws CodeModeError `invalid_input`
 */
export function assertSessionId(id: string): void {
  if (/^[A-Za-z0-9._:-]{1,128}$/.test(id)) return;
  throw new CodeModeError(
    "invalid_input",
    `the session id ${JSON.stringify(id.slice(0, 40))} is not allowed; use 1 to 128 of A-Z a-z 0-9 . _ : -`,
  );
}
