import { exec, indexOf, slice, toLowerCase } from "./captured.ts";
import { parseHost } from "./url-host.ts";
import { portColon, readPort, removeBreaks } from "./url-parser.ts";
import { readPathStart } from "./url-path.ts";
import { defaultPort, isSlash, isSpecial, takesCredentials, type UrlRecord } from "./url-record.ts";

/** `url.protocol = value`: a scheme may change only within its kind. What does not fit is ignored, as on the web. */
export function setProtocol(url: UrlRecord, value: string): void {
  const scheme = exec(/^[a-z][a-z\d+.-]*(?=:)/i, `${removeBreaks(value)}:`)?.[0];
  if (scheme === undefined) return;
  const next = toLowerCase(scheme);
  if (isSpecial(url) !== (defaultPort(next) !== undefined)) return;
  if (next === "file" && (url.username !== "" || url.password !== "" || url.port !== "")) return;
  if (url.scheme === "file" && url.host === "") return;
  url.scheme = next;
  if (url.port === defaultPort(next)) url.port = "";
}

/** `url.host = value`, or `url.hostname = value` with `nameOnly`. */
export function setHost(url: UrlRecord, value: string, nameOnly: boolean): void {
  if (typeof url.path === "string") return;
  const text = beforeAny(url, removeBreaks(value));
  if (url.scheme === "file") setFileHost(url, text);
  else setAuthority(url, text, nameOnly);
}

function setAuthority(url: UrlRecord, text: string, nameOnly: boolean): void {
  const colon = portColon(text);
  const hostText = colon < 0 ? text : slice(text, 0, colon);
  if (hostText === "" && (colon >= 0 || isSpecial(url))) return;
  if (hostText === "" && (url.username !== "" || url.password !== "" || url.port !== "")) return;
  if (colon >= 0 && nameOnly) return;
  const host = parseHost(hostText, !isSpecial(url));
  if (host === undefined) return;
  url.host = host;
  if (colon >= 0) readLeadingPort(url, slice(text, colon + 1));
}

/** `url.port = value`. */
export function setPort(url: UrlRecord, value: string): void {
  if (!takesCredentials(url)) return;
  if (value === "") url.port = "";
  else readLeadingPort(url, removeBreaks(value));
}

/** `url.pathname = value`. */
export function setPathname(url: UrlRecord, value: string): void {
  if (typeof url.path === "string") return;
  const text = removeBreaks(value);
  url.path = [];
  readPathStart(url, text);
  if (text === "" && url.host === null && !isSpecial(url)) url.path = [""];
}

function setFileHost(url: UrlRecord, text: string): void {
  const host = text === "" ? "" : parseHost(text, false);
  if (host !== undefined) url.host = host === "localhost" ? "" : host;
}

function readLeadingPort(url: UrlRecord, text: string): void {
  const digits = exec(/^\d+/, text)?.[0];
  if (digits !== undefined) readPort(url, digits);
}

function beforeAny(url: UrlRecord, text: string): string {
  let end = 0;
  while (end < text.length && !isSlash(url, text[end]) && indexOf("?#", text[end] as string) < 0) end++;
  return slice(text, 0, end);
}
