import { nearestNames } from "@code-mode/contract";

/** Keys that other clients know and that mean nothing here, although they look like ours. */
const known: ReadonlySet<string> = new Set([
  "timeout",
  "trust",
  "tools",
  "roots",
  "name",
  "title",
  "icon",
  "auth",
  "oauth",
]);

/** Names that other clients give to `url`. */
const urlKeys = ["httpUrl", "serverUrl"] as const;

/** How much longer or shorter a slip of the pen may be; what differs more is a key of its own. */
const maxLengthDifference = 2;

/** An entry of another client's file in our words: `url` by its other names, `enabled: false` as `disabled`. */
export function translateForeign(entry: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const other = urlKeys.find((key) => typeof entry[key] === "string");
  const url =
    entry.command === undefined && entry.url === undefined && other !== undefined ? { url: entry[other] } : {};
  const disabled = entry.enabled === false ? { disabled: true } : {};
  return Object.fromEntries(
    Object.entries({ ...entry, ...url, ...disabled }).filter(
      ([key]) => key !== "enabled" && !urlKeys.includes(key as "httpUrl"),
    ),
  );
}

/** The key of ours that a foreign key was probably meant to be; nothing for a key that only its client knows. */
export function misspelledKey(key: string, ours: readonly string[]): string | undefined {
  if (known.has(key)) return undefined;
  const near = nearestNames(key, ours, 1)[0];
  return near !== undefined && Math.abs(near.length - key.length) <= maxLengthDifference ? near : undefined;
}
