import { arrayJoin } from "./captured.ts";

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

/** The default port of a special scheme ("" for `file`), `undefined` for all other schemes. */
export function defaultPort(scheme: string): string | undefined {
  if (scheme === "https" || scheme === "wss") return "443";
  if (scheme === "http" || scheme === "ws") return "80";
  return scheme === "ftp" ? "21" : scheme === "file" ? "" : undefined;
}

/** True for the schemes that always have a host and a path. */
export function isSpecial(url: UrlRecord): boolean {
  return defaultPort(url.scheme) !== undefined;
}

/** True for what separates path segments: also the backslash in special schemes. */
export function isSlash(url: UrlRecord, char: string | undefined): boolean {
  return char === "/" || (char === "\\" && isSpecial(url));
}

/** True when the URL may have a user, a password and a port. */
export function takesCredentials(url: UrlRecord): boolean {
  return url.host !== null && url.host !== "" && url.scheme !== "file";
}

/** `host:port` as a URL shows it. */
export function writeHost(url: UrlRecord): string {
  return url.host === null ? "" : url.host + (url.port === "" ? "" : `:${url.port}`);
}

/** The path as a URL shows it. */
export function writePath(url: UrlRecord): string {
  if (typeof url.path === "string") return url.path;
  return url.path.length === 0 ? "" : `/${arrayJoin(url.path, "/")}`;
}

/** The whole URL. */
export function writeUrl(url: UrlRecord): string {
  const { username, password, query, fragment } = url;
  const credentials = username === "" && password === "" ? "" : `${username}${password === "" ? "" : `:${password}`}@`;
  // without a host, a path that begins with an empty segment would read as one
  const needsDot = url.host === null && typeof url.path !== "string" && url.path.length > 1 && url.path[0] === "";
  const authority = url.host === null ? (needsDot ? "/." : "") : `//${credentials}${writeHost(url)}`;
  const search = query === null ? "" : `?${query}`;
  return `${url.scheme}:${authority}${writePath(url)}${search}${fragment === null ? "" : `#${fragment}`}`;
}
