import { defineProperty, exec, needArguments, slice, TypeErrorOf, toScalarString } from "./captured.ts";
import { fragmentSet, percentEncode, userinfoSet } from "./percent-encoding.ts";
import { encodeQuery, parseUrl, removeBreaks } from "./url-parser.ts";
import { isSpecial, takesCredentials, type UrlRecord, writeHost, writePath, writeUrl } from "./url-record.ts";
import { ParamList, SearchParams } from "./url-search-params.ts";
import { setHost, setPathname, setPort, setProtocol } from "./url-setters.ts";

/** The guest's `URL` and `URLSearchParams` (GUEST-7): as on the web; non-ASCII hosts are mapped by NFKC. */
export function createUrlClasses(): { URL: typeof Url; URLSearchParams: typeof SearchParams } {
  finish(Url, "URL");
  finish(SearchParams, "URLSearchParams");
  defineProperty(SearchParams.prototype, Symbol.iterator, { value: SearchParams.prototype.entries });
  return { URL: Url, URLSearchParams: SearchParams };
}

/** The bundler shortens class names, and members of web classes are enumerable. */
function finish(target: { readonly prototype: object }, name: string): void {
  const members = Object.entries(Object.getOwnPropertyDescriptors(target.prototype));
  for (const [key] of members) {
    if (key !== "constructor") defineProperty(target.prototype, key, { enumerable: true });
  }
  defineProperty(target, "name", { value: name, configurable: true });
  defineProperty(target.prototype, Symbol.toStringTag, { value: name, configurable: true });
}

/** Longest part of a bad URL that its error shows. */
const maxShown = 200;

class Url {
  #record: UrlRecord;
  readonly #list: ParamList;
  readonly #params: SearchParams;

  constructor(url: unknown, base?: unknown) {
    // biome-ignore lint/complexity/noArguments: `new URL()` and `new URL(undefined)` differ only here
    needArguments(arguments.length, 1, "new URL(url, base)");
    const text = toScalarString(url);
    const record = resolve(text, base === undefined ? undefined : toScalarString(base));
    if (record === undefined) throw invalid(text, base !== undefined);
    this.#record = record;
    this.#list = new ParamList((query) => {
      this.#record.query = query === "" ? null : query;
    });
    this.#list.read(record.query ?? "");
    this.#params = new SearchParams(this.#list);
  }

  static canParse(url: unknown, base?: unknown): boolean {
    return resolve(toScalarString(url), base === undefined ? undefined : toScalarString(base)) !== undefined;
  }

  static parse(url: unknown, base?: unknown): Url | null {
    const text = toScalarString(url);
    const baseText = base === undefined ? undefined : toScalarString(base);
    return resolve(text, baseText) === undefined ? null : new Url(text, baseText);
  }

  get href(): string {
    return writeUrl(this.#record);
  }

  set href(value: unknown) {
    const text = toScalarString(value);
    const record = parseUrl(text);
    if (record === undefined) throw invalid(text, false);
    this.#record = record;
    this.#list.read(record.query ?? "");
  }

  get origin(): string {
    return originOf(this.#record);
  }

  get protocol(): string {
    return `${this.#record.scheme}:`;
  }

  set protocol(value: unknown) {
    setProtocol(this.#record, toScalarString(value));
  }

  get username(): string {
    return this.#record.username;
  }

  set username(value: unknown) {
    const text = toScalarString(value);
    if (takesCredentials(this.#record)) this.#record.username = percentEncode(text, userinfoSet);
  }

  get password(): string {
    return this.#record.password;
  }

  set password(value: unknown) {
    const text = toScalarString(value);
    if (takesCredentials(this.#record)) this.#record.password = percentEncode(text, userinfoSet);
  }

  get host(): string {
    return writeHost(this.#record);
  }

  set host(value: unknown) {
    setHost(this.#record, toScalarString(value), false);
  }

  get hostname(): string {
    return this.#record.host ?? "";
  }

  set hostname(value: unknown) {
    setHost(this.#record, toScalarString(value), true);
  }

  get port(): string {
    return this.#record.port;
  }

  set port(value: unknown) {
    setPort(this.#record, toScalarString(value));
  }

  get pathname(): string {
    return writePath(this.#record);
  }

  set pathname(value: unknown) {
    setPathname(this.#record, toScalarString(value));
  }

  get search(): string {
    const { query } = this.#record;
    return query === null || query === "" ? "" : `?${query}`;
  }

  set search(value: unknown) {
    const text = toScalarString(value);
    const query = removeBreaks(text[0] === "?" ? slice(text, 1) : text);
    this.#record.query = text === "" ? null : encodeQuery(this.#record, query);
    this.#list.read(this.#record.query ?? "");
  }

  get searchParams(): SearchParams {
    return this.#params;
  }

  get hash(): string {
    const { fragment } = this.#record;
    return fragment === null || fragment === "" ? "" : `#${fragment}`;
  }

  set hash(value: unknown) {
    const text = toScalarString(value);
    const fragment = removeBreaks(text[0] === "#" ? slice(text, 1) : text);
    this.#record.fragment = text === "" ? null : percentEncode(fragment, fragmentSet);
  }

  toString(): string {
    return writeUrl(this.#record);
  }

  toJSON(): string {
    return writeUrl(this.#record);
  }
}

function resolve(text: string, base: string | undefined): UrlRecord | undefined {
  if (base === undefined) return parseUrl(text);
  const record = parseUrl(base);
  return record === undefined ? undefined : parseUrl(text, record);
}

function originOf(url: UrlRecord): string {
  if (url.scheme === "blob" && typeof url.path === "string") {
    const inner = parseUrl(url.path);
    return inner !== undefined && exec(/^https?$/, inner.scheme) !== null ? originOf(inner) : "null";
  }
  return isSpecial(url) && url.scheme !== "file" ? `${url.scheme}://${writeHost(url)}` : "null";
}

function invalid(text: string, hasBase: boolean): TypeError {
  const shown = text.length > maxShown ? `${slice(text, 0, maxShown)}…` : text;
  const advice = hasBase
    ? "check it and its base"
    : 'give an absolute one ("https://example.com/") or a base as second argument';
  const error = new TypeErrorOf(`Invalid URL "${shown}": ${advice}`);
  defineProperty(error, "code", { value: "ERR_INVALID_URL", configurable: true, writable: true });
  return error;
}
