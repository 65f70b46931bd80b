/**
 * Intrinsics of the polyfills, taken when their script is evaluated: a program that patches a prototype later breaks
 * its own calls, not ours. Every line is marked pure so that each bundle keeps only what it uses.
 */

type Method<Self, Args extends unknown[], Result> = (this: Self, ...args: Args) => Result;

/** `fn.call(self, …)` as one bound native function: later patches of `Function.prototype` do not reach it. */
export const uncurry = /* @__PURE__ */ Function.prototype.bind.bind(Function.prototype.call) as unknown as <
  Self,
  Args extends unknown[],
  Result,
>(
  fn: Method<Self, Args, Result>,
) => (self: Self, ...args: Args) => Result;

/** The getter of a prototype's accessor, as a function of the object. It throws for objects of another type. */
export function getterOf<Result>(prototype: object, key: PropertyKey): (self: unknown) => Result {
  return uncurry(Object.getOwnPropertyDescriptor(prototype, key)?.get as Method<unknown, [], Result>);
}

export const apply = Reflect.apply;
export const ownKeys = Reflect.ownKeys;
export const objectKeys = Object.keys;
export const { defineProperty, getOwnPropertyDescriptor } = Object;
export const isArray = Array.isArray;
export const isView = ArrayBuffer.isView;
export const { fromCharCode, fromCodePoint } = String;
export const encodeComponent = encodeURIComponent;
export const Bytes = Uint8Array;
export const MapOf = Map;
export const SetOf = Set;
export const StringOf = String;
export const NumberOf = Number;
export const TypeErrorOf = TypeError;
export const RangeErrorOf = RangeError;

export const inherits = /* @__PURE__ */ uncurry(Object.prototype.isPrototypeOf) as (
  prototype: object,
  value: object,
) => boolean;
export const mapGet = /* @__PURE__ */ uncurry(Map.prototype.get) as <K, V>(map: Map<K, V>, key: K) => V | undefined;
export const mapSet = /* @__PURE__ */ uncurry(Map.prototype.set) as <K, V>(map: Map<K, V>, key: K, value: V) => unknown;
export const mapForEach = /* @__PURE__ */ uncurry(Map.prototype.forEach) as <K, V>(
  map: Map<K, V>,
  visit: (value: V, key: K) => void,
) => void;
export const setAdd = /* @__PURE__ */ uncurry(Set.prototype.add) as (set: Set<unknown>, value: unknown) => unknown;
export const setForEach = /* @__PURE__ */ uncurry(Set.prototype.forEach) as <T>(
  set: Set<T>,
  visit: (value: T) => void,
) => void;
export const arraySplice = /* @__PURE__ */ uncurry(Array.prototype.splice) as <T>(
  list: T[],
  start: number,
  deleteCount: number,
) => T[];
export const arraySort = /* @__PURE__ */ uncurry(Array.prototype.sort) as <T>(
  list: T[],
  compare: (left: T, right: T) => number,
) => T[];
export const arrayJoin = /* @__PURE__ */ uncurry(Array.prototype.join) as (
  list: unknown[],
  separator: string,
) => string;
export const slice = /* @__PURE__ */ uncurry(String.prototype.slice) as (
  t: string,
  start: number,
  end?: number,
) => string;
export const charCodeAt = /* @__PURE__ */ uncurry(String.prototype.charCodeAt);
export const codePointAt = /* @__PURE__ */ uncurry(String.prototype.codePointAt);
export const indexOf = /* @__PURE__ */ uncurry(String.prototype.indexOf);
export const lastIndexOf = /* @__PURE__ */ uncurry(String.prototype.lastIndexOf);
export const toLowerCase = /* @__PURE__ */ uncurry(String.prototype.toLowerCase);
export const normalize = /* @__PURE__ */ uncurry(String.prototype.normalize) as (text: string, form: string) => string;
export const toWellFormed = /* @__PURE__ */ uncurry(String.prototype.toWellFormed);
export const split = /* @__PURE__ */ uncurry(String.prototype.split) as unknown as (
  text: string,
  separator: string,
) => string[];
export const numberToString = /* @__PURE__ */ uncurry(Number.prototype.toString) as (
  n: number,
  radix: number,
) => string;
export const exec = /* @__PURE__ */ uncurry(RegExp.prototype.exec);
export const typedArraySubarray = /* @__PURE__ */ uncurry(Uint8Array.prototype.subarray);
export const typedArraySlice = /* @__PURE__ */ uncurry(Uint8Array.prototype.slice);
export const typedArraySet = /* @__PURE__ */ uncurry(Uint8Array.prototype.set);

/** `String(value)` with lone surrogates replaced, as the web's string arguments are read. */
export function toScalarString(value: unknown): string {
  return toWellFormed(`${value as string}`);
}

/** Throws the usual TypeError when a method got too few arguments. */
export function needArguments(given: number, needed: number, name: string): void {
  if (given < needed)
    throw new TypeErrorOf(`${name} needs ${needed} argument${needed > 1 ? "s" : ""}, but got ${given}`);
}
