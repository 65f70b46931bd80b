import { arrayJoin, exec, indexOf, lastIndexOf, NumberOf, slice, split, toLowerCase } from "./captured.ts";
import { fragmentSet, pathSet, percentEncode, querySet, specialQuerySet, userinfoSet } from "./percent-encoding.ts";
import { parseHost } from "./url-host.ts";

/** A parsed URL. `host` is serialized, `path` a text when opaque; `null` where the part is absent. */
export type UrlRecord = {
  scheme: string;
  username: string;
  password: string;
  host: string | null;
  port: string;
  path: string | string[];
  query: string | null;
  fragment: string | null;
};

/** Thrown inside the parser, caught by its entry points: the input is no URL. */
class Invalid {}

/** `http:` as opposed to `mailto:`: a scheme with its own rules; the value is its default port. */
export function defaultPort(scheme: string): string | undefined {
  if (scheme === "https" || scheme === "wss") return "443";
  if (scheme === "http" || scheme === "ws") return "80";
  return scheme === "ftp" ? "21" : scheme === "file" ? "" : undefined;
}

/** True for the schemes that always have a host and a path. */
export function isSpecial(record: UrlRecord): boolean {
  return defaultPort(record.scheme) !== undefined;
}
