import { CodeModeError } from "@code-mode/contract";

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
const internalPrefix = "__openclaw";

/** Globals of the guest API, of the language and of the replaced host objects, and words that cannot be names. */
const takenNames: ReadonlySet<string> = new Set(
  (
    "ALL_TOOLS tools MCP API namespaces text json yield_control results console setTimeout clearTimeout setInterval clearInterval setImmediate queueMicrotask " +
    "TextEncoder TextDecoder URL URLSearchParams structuredClone atob btoa fetch process Buffer require module exports importScripts global globalThis self window " +
    "undefined NaN Infinity eval isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape " +
    "Object Function Array Number Boolean String Symbol BigInt Math JSON Date RegExp Promise Proxy Reflect Map Set WeakMap WeakSet WeakRef FinalizationRegistry Iterator " +
    "Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError InternalError DOMException Performance performance crypto navigator " +
    "ArrayBuffer SharedArrayBuffer Atomics DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array BigInt64Array BigUint64Array Float16Array Float32Array Float64Array " +
    "__proto__ constructor prototype hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf toJSON then " +
    "arguments await async break case catch class const continue debugger default delete do else enum export extends false finally for function if implements import in instanceof interface let new null " +
    "package private protected public return static super switch this throw true try typeof var void while with yield"
  ).split(" "),
);

/**
 * Refuses a global that guests could not write or that would hide one of theirs (NS-5).
 * @throws CodeModeError `invalid_input`
 */
export function assertGlobalName(globalName: unknown): asserts globalName is string {
  if (typeof globalName !== "string" || !identifier.test(globalName))
    throw refused(globalName, "it is not a JavaScript identifier");
  if (takenNames.has(globalName)) throw refused(globalName, "guests already have a global or keyword of that name");
  if (globalName.startsWith(internalPrefix))
    throw refused(globalName, `names that start with ${internalPrefix} are internal`);
}

function refused(globalName: unknown, reason: string): CodeModeError {
  return new CodeModeError(
    "invalid_input",
    `the namespace global ${JSON.stringify(globalName) ?? String(globalName)} is not allowed: ${reason}. Choose another name, such as "Issues".`,
  );
}
