import { RangeErrorOf, StringOf, TypeErrorOf } from "../captured.ts";
import { floor, joinTexts, objectCreate, toObject } from "./captured-intl.ts";
import { contains } from "./locales.ts";

export type Options = { readonly [key: string]: unknown };

const none: Options = objectCreate(null);

/** The options argument of a constructor, as its specification reads it. */
export function toOptions(options: unknown): Options {
  if (options === undefined) return none;
  if (options === null) throw new TypeErrorOf("the options must be an object, not null");
  return toObject(options);
}

/** A string option of a closed set. Without a fallback, an absent option is undefined. */
export function choose<T extends string>(options: Options, key: string, allowed: readonly T[], fallback: T): T;
export function choose<T extends string>(options: Options, key: string, allowed: readonly T[]): T | undefined;
export function choose(options: Options, key: string, allowed: readonly string[], fallback?: string): unknown {
  const value = options[key];
  if (value === undefined) return fallback;
  const text = `${value as string}`;
  if (!contains(allowed, text))
    throw new RangeErrorOf(`option ${key} must be one of ${joinTexts(allowed, ", ")}, not ${text}`);
  return text;
}

export function flag(options: Options, key: string): boolean | undefined {
  const value = options[key];
  return value === undefined ? undefined : !!value;
}

/** A whole number within `[from, to]`, or undefined. */
export function whole(options: Options, key: string, range: readonly [from: number, to: number]): number | undefined {
  return wholeOf(options[key], key, range);
}

export function wholeOf(value: unknown, key: string, range: readonly [from: number, to: number]): number | undefined {
  if (value === undefined) return undefined;
  const number = +(value as number);
  if (!(number >= range[0] && number <= range[1]))
    throw new RangeErrorOf(`option ${key} must be from ${range[0]} to ${range[1]}, not ${StringOf(value)}`);
  return floor(number);
}

/** A usual object with the same members; assigning to one directly could run setters of `Object.prototype`. */
export function plainObject(members: { readonly [key: string]: unknown }): object {
  return { ...members };
}
