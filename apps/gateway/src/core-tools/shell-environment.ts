/** What programs need to find themselves; everything else, above all keys and tokens of the gateway, stays out. */
const passed: ReadonlySet<string> = new Set(
  (
    "PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TERM TMPDIR " +
    "SYSTEMROOT COMSPEC PATHEXT TEMP TMP USERPROFILE APPDATA LOCALAPPDATA PROGRAMFILES PROGRAMDATA WINDIR"
  ).split(" "),
);

/** The environment of a command: only names of a fixed list and `LC_*`. */
export function shellEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => {
      const name = entry[0].toUpperCase();
      return entry[1] !== undefined && (passed.has(name) || name.startsWith("LC_"));
    }),
  );
}
