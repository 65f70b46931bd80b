import { defineProperty, exec, RangeErrorOf, uncurry } from "../captured.ts";

/** Intrinsics that only `Intl` needs, taken as those of `captured.ts`. */
export const construct = Reflect.construct;
export const objectCreate = Object.create as (prototype: null) => { [key: string]: unknown };
export const toObject = Object as unknown as (value: unknown) => { readonly [key: string]: unknown };
export const DateOf = Date;
export const now: () => number = Date.now;
export const abs = Math.abs;
export const floor = Math.floor;
export const { max, min } = Math;
export const isFiniteNumber: (value: unknown) => boolean = Number.isFinite;
export const toUpperCase = /* @__PURE__ */ uncurry(String.prototype.toUpperCase);
export const padStart = /* @__PURE__ */ uncurry(String.prototype.padStart) as (
  text: string,
  length: number,
  fill: string,
) => string;
export const padEnd = /* @__PURE__ */ uncurry(String.prototype.padEnd) as typeof padStart;
export const repeat = /* @__PURE__ */ uncurry(String.prototype.repeat);
export const numberValue = /* @__PURE__ */ uncurry(Number.prototype.valueOf) as (value: unknown) => number;
export const bigintValue = /* @__PURE__ */ uncurry(BigInt.prototype.valueOf) as (value: unknown) => bigint;
export const timeValue = /* @__PURE__ */ uncurry(Date.prototype.getTime) as (value: unknown) => number;
export const utcYear = /* @__PURE__ */ uncurry(Date.prototype.getUTCFullYear);
export const utcMonth = /* @__PURE__ */ uncurry(Date.prototype.getUTCMonth);
export const utcDate = /* @__PURE__ */ uncurry(Date.prototype.getUTCDate);
export const utcDay = /* @__PURE__ */ uncurry(Date.prototype.getUTCDay);
export const utcHours = /* @__PURE__ */ uncurry(Date.prototype.getUTCHours);
export const utcMinutes = /* @__PURE__ */ uncurry(Date.prototype.getUTCMinutes);
export const utcSeconds = /* @__PURE__ */ uncurry(Date.prototype.getUTCSeconds);
export const utcMilliseconds = /* @__PURE__ */ uncurry(Date.prototype.getUTCMilliseconds);

/** Adds a member without running a setter that a program may have put on an index of `Array.prototype`. */
export function append<T>(list: T[], value: T): void {
  defineProperty(list, list.length, { value, writable: true, enumerable: true, configurable: true });
}

/** One piece of formatted text, as `formatToParts` gives it. */
export type Part = { readonly type: string; readonly value: string };

export function addPart(parts: Part[], type: string, value: string): void {
  if (value !== "") append(parts, { type, value });
}

/** The text of all parts. */
export function joinParts(parts: readonly Part[]): string {
  let text = "";
  for (let index = 0; index < parts.length; index++) text += (parts[index] as Part).value;
  return text;
}

/** The error for what ICU has and this small `Intl` has not. */
export function unsupported(what: string, instead: string): RangeError {
  return new RangeErrorOf(`${what} is not supported in this sandbox, ${instead}`);
}

/** `RegExp.prototype.test` would call an `exec` that a program patched. */
export function test(pattern: RegExp, text: string): boolean {
  return exec(pattern, text) !== null;
}

/** Joins without `Array.prototype.join`, which a program may have patched before this script was loaded. */
export function joinTexts(texts: readonly string[], separator: string): string {
  let joined = "";
  for (let index = 0; index < texts.length; index++)
    joined += (index === 0 ? "" : separator) + (texts[index] as string);
  return joined;
}
