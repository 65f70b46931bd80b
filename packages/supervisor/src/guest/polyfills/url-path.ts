import { arrayJoin, exec, slice, split } from "./captured.ts";
import { pathSet, percentEncode } from "./percent-encoding.ts";
import { isSlash, isSpecial, type UrlRecord } from "./url-record.ts";

/** The path that follows a host, with or without its first slash. */
export function readPathStart(url: UrlRecord, text: string): void {
  if (text !== "" || isSpecial(url)) readPath(url, isSlash(url, text[0]) ? slice(text, 1) : text);
}

/** Appends the segments of a text without its first slash, resolving `.` and `..`. */
export function readPath(url: UrlRecord, text: string): void {
  const path = url.path as string[];
  const segments = split(isSpecial(url) ? arrayJoin(split(text, "\\"), "/") : text, "/");
  for (let index = 0; index < segments.length; index++) {
    const last = index === segments.length - 1;
    const segment = percentEncode(segments[index] as string, pathSet);
    const dots =
      exec(/^(?:\.|%2e){1,2}$/i, segment) === null ? "" : exec(/^(?:\.|%2e)$/i, segment) === null ? ".." : ".";
    if (dots === "..") shorten(url);
    if (dots === "") {
      const isFirstDrive = url.scheme === "file" && path.length === 0 && isDrive(segment, true);
      path[path.length] = isFirstDrive ? `${segment[0]}:` : segment;
    } else if (last) path[path.length] = "";
  }
}

/** Drops the last segment, but never the drive letter of a file URL. */
export function shorten(url: UrlRecord): void {
  const path = url.path as string[];
  if (path.length === 0 || (url.scheme === "file" && path.length === 1 && isDrive(path[0] as string, false))) return;
  path.length--;
}

/** True for a Windows drive letter, `c:`, or also `c|`. */
export function isDrive(text: string, orBar: boolean): boolean {
  return exec(orBar ? /^[a-z][:|]$/i : /^[a-z]:$/i, text) !== null;
}

/** True for a path that begins with a drive letter. */
export function startsWithDrive(text: string): boolean {
  return exec(/^[a-z][:|](?:[/\\]|$)/i, text) !== null;
}

/** A path that can be changed without changing its source. */
export function copyPath(path: string | string[]): string | string[] {
  if (typeof path === "string") return path;
  const copy: string[] = [];
  for (let index = 0; index < path.length; index++) copy[index] = path[index] as string;
  return copy;
}
