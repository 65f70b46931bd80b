import { defineProperty, getOwnPropertyDescriptor, inherits } from "./captured.ts";

const { DOMException: ExceptionOf } = globalThis;
const types: readonly ErrorConstructor[] = [
  Error,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
];
const names = ["Error", "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError"];

/** The error that the web throws for what cannot be cloned. */
export function dataCloneError(what: string): Error {
  return new ExceptionOf(`structuredClone cannot copy ${what}`, "DataCloneError");
}

/** A copy of an error, without its cause: the type comes from its name; message and stack are taken as texts. */
export function copyError(source: Error): Error {
  if (inherits(ExceptionOf.prototype, source)) return new ExceptionOf(source.message, source.name);
  const { name, stack } = source;
  let type = types[0] as ErrorConstructor;
  for (let index = 0; index < names.length; index++) {
    if (names[index] === name) type = types[index] as ErrorConstructor;
  }
  const copy = new type();
  const message = getOwnPropertyDescriptor(source, "message");
  if (message !== undefined && "value" in message) defineHidden(copy, "message", `${message.value}`);
  if (typeof stack === "string") defineHidden(copy, "stack", stack);
  return copy;
}

/** Defines a property that is not enumerable, as those of errors are. */
export function defineHidden(target: object, key: string, value: unknown): void {
  defineProperty(target, key, { value, writable: true, enumerable: false, configurable: true });
}
