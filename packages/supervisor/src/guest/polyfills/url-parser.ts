import {
  arrayJoin,
  charCodeAt,
  exec,
  indexOf,
  lastIndexOf,
  NumberOf,
  StringOf,
  slice,
  split,
  toLowerCase,
} from "./captured.ts";
import { fragmentSet, percentEncode, querySet, specialQuerySet, userinfoSet } from "./percent-encoding.ts";
import { parseHost } from "./url-host.ts";
import { copyPath, isDrive, readPath, readPathStart, shorten, startsWithDrive } from "./url-path.ts";
import { defaultPort, isSlash, isSpecial, type UrlRecord } from "./url-record.ts";

/** The record of a URL text, relative to `base` if given; `undefined` when it is no valid URL. */
export function parseUrl(input: string, base?: UrlRecord): UrlRecord | undefined {
  const [beforeFragment, fragment] = cut(removeBreaks(trim(input)), "#");
  const [body, query] = cut(beforeFragment, "?");
  const url: UrlRecord = {
    scheme: "",
    username: "",
    password: "",
    host: null,
    port: "",
    path: [],
    query: null,
    fragment: null,
  };
  const scheme = exec(/^[a-z][a-z\d+.-]*(?=:)/i, body)?.[0];
  if (scheme !== undefined) {
    url.scheme = toLowerCase(scheme);
    if (!readAfterScheme(url, slice(body, scheme.length + 1), base)) return undefined;
  } else {
    if (base === undefined) return undefined;
    if (typeof base.path === "string" && (body !== "" || query !== null || fragment === null)) return undefined;
    if (!readRelative(url, body, base)) return undefined;
  }
  if (query !== null) url.query = encodeQuery(url, query);
  if (fragment !== null) url.fragment = percentEncode(fragment, fragmentSet);
  return url;
}

/** A query in the percent-encode set of the URL's scheme. */
export function encodeQuery(url: UrlRecord, query: string): string {
  return percentEncode(query, isSpecial(url) ? specialQuerySet : querySet);
}

/** Without tabs and line breaks, which the web ignores anywhere in a URL. */
export function removeBreaks(text: string): string {
  if (exec(/[\t\n\r]/, text) === null) return text;
  return arrayJoin(split(arrayJoin(split(arrayJoin(split(text, "\t"), ""), "\n"), ""), "\r"), "");
}

function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && charCodeAt(text, start) <= 0x20) start++;
  while (end > start && charCodeAt(text, end - 1) <= 0x20) end--;
  return slice(text, start, end);
}

function cut(text: string, mark: string): [before: string, after: string | null] {
  const at = indexOf(text, mark);
  return at < 0 ? [text, null] : [slice(text, 0, at), slice(text, at + 1)];
}

function readAfterScheme(url: UrlRecord, rest: string, base: UrlRecord | undefined): boolean {
  const sameBase = base?.scheme === url.scheme ? base : undefined;
  if (url.scheme === "file") return readFile(url, rest, sameBase);
  if (isSpecial(url)) {
    if (sameBase !== undefined && slice(rest, 0, 2) !== "//") return readRelative(url, rest, sameBase);
    return readAuthority(url, dropSlashes(rest));
  }
  if (slice(rest, 0, 2) === "//") return readAuthority(url, slice(rest, 2));
  if (rest[0] === "/") readPath(url, slice(rest, 1));
  else url.path = readOpaquePath(rest);
  return true;
}

/** A space at the end, before a query or fragment, is encoded: it would be trimmed once those are removed. */
function readOpaquePath(text: string): string {
  const path = percentEncode(text, "");
  return path[path.length - 1] === " " ? `${slice(path, 0, -1)}%20` : path;
}

function readRelative(url: UrlRecord, body: string, base: UrlRecord): boolean {
  url.scheme = base.scheme;
  if (url.scheme === "file") return readFile(url, body, base);
  if (isSlash(url, body[0]) && isSlash(url, body[1])) {
    return readAuthority(url, isSpecial(url) ? dropSlashes(body) : slice(body, 2));
  }
  url.username = base.username;
  url.password = base.password;
  url.host = base.host;
  url.port = base.port;
  if (isSlash(url, body[0])) readPath(url, slice(body, 1));
  else readRelativePath(url, body, base);
  return true;
}

function readRelativePath(url: UrlRecord, body: string, base: UrlRecord): void {
  url.path = copyPath(base.path);
  if (body === "") url.query = base.query;
  else {
    if (url.scheme === "file" && startsWithDrive(body)) url.path = [];
    else shorten(url);
    readPath(url, body);
  }
}

/** `user:password@host:port/path`, and whatever follows. */
function readAuthority(url: UrlRecord, text: string): boolean {
  let end = 0;
  while (end < text.length && !isSlash(url, text[end])) end++;
  const authority = slice(text, 0, end);
  const at = lastIndexOf(authority, "@");
  const hostAndPort = slice(authority, at + 1);
  if (at >= 0) {
    const [username, password] = cut(slice(authority, 0, at), ":");
    url.username = percentEncode(username, userinfoSet);
    url.password = percentEncode(password ?? "", userinfoSet);
  }
  const colon = portColon(hostAndPort);
  const hostText = colon < 0 ? hostAndPort : slice(hostAndPort, 0, colon);
  if (hostText === "" && (at >= 0 || colon >= 0 || isSpecial(url))) return false;
  const host = parseHost(hostText, !isSpecial(url));
  if (host === undefined) return false;
  url.host = host;
  if (colon >= 0 && !readPort(url, slice(hostAndPort, colon + 1))) return false;
  readPathStart(url, slice(text, end));
  return true;
}

/** Where the port begins: the first colon that is not within brackets, or -1. */
export function portColon(text: string): number {
  let inBrackets = false;
  for (let index = 0; index < text.length; index++) {
    const char = text[index];
    if (char === "[") inBrackets = true;
    else if (char === "]") inBrackets = false;
    else if (char === ":" && !inBrackets) return index;
  }
  return -1;
}

/** Takes a port of digits only; the scheme's own one, or none, becomes "". */
export function readPort(url: UrlRecord, digits: string): boolean {
  if (exec(/^\d*$/, digits) === null || NumberOf(digits) > 65_535) return false;
  const port = digits === "" ? "" : StringOf(NumberOf(digits));
  url.port = port === defaultPort(url.scheme) ? "" : port;
  return true;
}

function readFile(url: UrlRecord, body: string, base: UrlRecord | undefined): boolean {
  url.host = "";
  if (isSlash(url, body[0])) {
    if (isSlash(url, body[1])) return readFileHost(url, slice(body, 2));
    const drive = base?.path[0];
    if (base !== undefined) url.host = base.host;
    if (drive !== undefined && isDrive(drive, false) && !startsWithDrive(slice(body, 1))) url.path = [drive];
    readPath(url, slice(body, 1));
  } else if (base !== undefined) {
    url.host = base.host;
    readRelativePath(url, body, base);
  } else readPath(url, body);
  return true;
}

function readFileHost(url: UrlRecord, text: string): boolean {
  let end = 0;
  while (end < text.length && !isSlash(url, text[end])) end++;
  const hostText = slice(text, 0, end);
  if (isDrive(hostText, true)) {
    readPath(url, text);
    return true;
  }
  const host = hostText === "" ? "" : parseHost(hostText, false);
  if (host === undefined) return false;
  url.host = host === "localhost" ? "" : host;
  readPathStart(url, slice(text, end));
  return true;
}

function dropSlashes(text: string): string {
  let start = 0;
  while (text[start] === "/" || text[start] === "\\") start++;
  return slice(text, start);
}
