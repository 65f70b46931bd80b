/** What a program needs to run at all; credentials of the host are not among it. */
const inherited = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "TERM",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "TZ",
  "TMPDIR",
  // Windows
  "APPDATA",
  "COMSPEC",
  "HOMEDRIVE",
  "HOMEPATH",
  "LOCALAPPDATA",
  "PATHEXT",
  "PROCESSOR_ARCHITECTURE",
  "PROGRAMDATA",
  "PROGRAMFILES",
  "SYSTEMDRIVE",
  "SYSTEMROOT",
  "TEMP",
  "TMP",
  "USERNAME",
  "USERPROFILE",
  "WINDIR",
] as const;

/** The environment of a server: a few harmless variables of ours and what its configuration names. */
export function buildChildEnvironment(
  configured: Readonly<Record<string, string>> = {},
  own: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of inherited) {
    const value = own[name];
    // a value that starts so is a shell function exported by bash: code, not data
    if (value !== undefined && !value.startsWith("()")) environment[name] = value;
  }
  return { ...environment, ...configured };
}
