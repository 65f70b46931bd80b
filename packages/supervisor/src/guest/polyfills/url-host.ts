import {
  arrayJoin,
  codePointAt,
  exec,
  fromCodePoint,
  NumberOf,
  normalize,
  numberToString,
  slice,
  split,
  toLowerCase,
} from "./captured.ts";
import { percentDecode, percentEncode } from "./percent-encoding.ts";
import { encodePunycode } from "./punycode.ts";

const forbiddenInHost = /[\0\t\n\r #/:<>?@[\\\]^|]/;
const forbiddenInDomain = /[\0-\x20#%/:<>?@[\\\]^|\x7f]/;

/** Characters that IDNA drops from a name. */
const ignoredInDomain = /^(?:[\u00ad\u200b\u2060\u2064\ufeff]|\u034f|[\u180b-\u180d\u180f]|[\ufe00-\ufe0f])$/;

/** Unassigned, private, control and formatting characters, and a mark at the start, make a label invalid. */
const invalidLabel = /^\p{M}|[\p{C}\u2028\u2029\ufffd]/u;

/** Longest non-ASCII label: DNS allows 63 bytes, and the Punycode below takes quadratic time. */
const maxUnicodeLabel = 1000;

/** The serialized host of a URL, or `undefined` when it is invalid; `opaque` for schemes that are not special. */
export function parseHost(input: string, opaque: boolean): string | undefined {
  if (input[0] === "[") return input[input.length - 1] === "]" ? parseIpv6(slice(input, 1, -1)) : undefined;
  if (opaque) return exec(forbiddenInHost, input) === null ? percentEncode(input, "") : undefined;
  const domain = toAscii(percentDecode(input));
  if (domain === undefined || domain === "" || exec(forbiddenInDomain, domain) !== null) return undefined;
  return endsInNumber(domain) ? parseIpv4(domain) : domain;
}

/** Lower-cases; labels that are not ASCII are mapped by NFKC instead of the IDNA tables, which agree for real names. */
function toAscii(domain: string): string | undefined {
  if (exec(/[^\0-\x7f]/, domain) === null) return toLowerCase(domain);
  const labels = split(normalize(foldCase(normalize(domain, "NFKC")), "NFKC"), ".");
  for (let index = 0; index < labels.length; index++) {
    const label = labels[index] as string;
    if (exec(/[^\0-\x7f]/, label) === null) continue;
    if (label.length > maxUnicodeLabel || exec(invalidLabel, label) !== null || slice(label, 0, 4) === "xn--")
      return undefined;
    labels[index] = `xn--${encodePunycode(label)}`;
  }
  return arrayJoin(labels, ".");
}

/** Lower case of each character for itself, without ignored ones and with plain dots. */
function foldCase(text: string): string {
  let result = "";
  for (let index = 0; index < text.length; index++) {
    const code = codePointAt(text, index) as number;
    if (code > 0xffff) index++;
    if (code === 0x3002) result += ".";
    else if (code < 0x80 || exec(ignoredInDomain, fromCodePoint(code)) === null)
      result += toLowerCase(fromCodePoint(code));
  }
  return result;
}

function endsInNumber(domain: string): boolean {
  const parts = split(domain, ".");
  const last = parts[parts.length - 1] === "" && parts.length > 1 ? parts[parts.length - 2] : parts[parts.length - 1];
  return exec(/^(?:\d+|0x[\da-f]*)$/, last as string) !== null;
}

function parseIpv4(domain: string): string | undefined {
  const parts = split(domain, ".");
  if (parts[parts.length - 1] === "") parts.length--;
  if (parts.length > 4) return undefined;
  let address = 0;
  for (let index = 0; index < parts.length; index++) {
    const value = ipv4Number(parts[index] as string);
    const room = index === parts.length - 1 ? 256 ** (4 - index) : 256;
    if (!(value < room)) return undefined;
    address += index === parts.length - 1 ? value : value * 256 ** (3 - index);
  }
  return `${address >>> 24}.${(address >>> 16) & 255}.${(address >>> 8) & 255}.${address & 255}`;
}

/** Decimal, octal with a leading 0, hexadecimal with `0x`; NaN for anything else. */
function ipv4Number(text: string): number {
  if (exec(/^0x[\da-f]*$/, text) !== null) return NumberOf(text.length === 2 ? 0 : text);
  if (exec(/^0[0-7]+$/, text) !== null) return NumberOf(`0o${slice(text, 1)}`);
  return exec(/^(?:0|[1-9]\d*)$/, text) === null ? NaN : NumberOf(text);
}

function parseIpv6(text: string): string | undefined {
  const halves = split(text, "::");
  const head = readPieces(halves[0] as string, halves.length === 1);
  const tail = halves.length === 2 ? readPieces(halves[1] as string, true) : [];
  if (halves.length > 2 || head === undefined || tail === undefined) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined;
  for (let index = 0; index < missing; index++) head[head.length] = 0;
  for (let index = 0; index < tail.length; index++) head[head.length] = tail[index] as number;
  return `[${writeIpv6(head)}]`;
}

/** The 16-bit pieces of one side of `::`; the last of the address may be a dotted IPv4 address. */
function readPieces(text: string, mayEndInIpv4: boolean): number[] | undefined {
  const pieces: number[] = [];
  if (text === "") return pieces;
  const groups = split(text, ":");
  for (let index = 0; index < groups.length; index++) {
    const group = groups[index] as string;
    if (exec(/^[\da-f]{1,4}$/i, group) !== null) pieces[pieces.length] = NumberOf(`0x${group}`);
    else if (mayEndInIpv4 && index === groups.length - 1 && isDotted(group)) {
      const bytes = split(group, ".");
      pieces[pieces.length] = NumberOf(bytes[0]) * 256 + NumberOf(bytes[1]);
      pieces[pieces.length] = NumberOf(bytes[2]) * 256 + NumberOf(bytes[3]);
    } else return undefined;
  }
  return pieces;
}

function isDotted(text: string): boolean {
  return exec(/^(?:(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])(?:\.(?!$)|$)){4}$/, text) !== null;
}

function writeIpv6(pieces: readonly number[]): string {
  let start = -1;
  let length = 1;
  for (let index = 0, run = 0; index < 8; index++) {
    run = pieces[index] === 0 ? run + 1 : 0;
    if (run <= length) continue;
    length = run;
    start = index - run + 1;
  }
  let text = "";
  for (let index = 0; index < 8; index++) {
    if (index === start) {
      text += index === 0 ? "::" : ":";
      index += length - 1;
    } else text += numberToString(pieces[index] as number, 16) + (index < 7 ? ":" : "");
  }
  return text;
}
