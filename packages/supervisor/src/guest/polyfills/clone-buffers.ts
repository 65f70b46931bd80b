import { Bytes, getterOf, typedArraySet, uncurry } from "./captured.ts";
import { dataCloneError } from "./clone-errors.ts";

const { ArrayBuffer: BufferOf } = globalThis;
/** Brand check and size of an ArrayBuffer. */
export const bufferLength = getterOf<number>(ArrayBuffer.prototype, "byteLength");
const bufferMaximum = getterOf<number>(ArrayBuffer.prototype, "maxByteLength");
const isResizable = getterOf<boolean>(ArrayBuffer.prototype, "resizable");
const isDetached = getterOf<boolean>(ArrayBuffer.prototype, "detached");
const transferBuffer = /* @__PURE__ */ uncurry(ArrayBuffer.prototype.transfer as (this: ArrayBuffer) => ArrayBuffer);

type ViewOf = new (buffer: object, offset: number, length: number) => object;
type ViewFields = {
  readonly buffer: (v: unknown) => object;
  readonly offset: (v: unknown) => number;
  readonly length: (v: unknown) => number;
};

const typedPrototype = Object.getPrototypeOf(Uint8Array.prototype) as object;
const typedTag = getterOf<string | undefined>(typedPrototype, Symbol.toStringTag);
const typedFields = fieldsOf(typedPrototype, "length");
const dataViewFields = fieldsOf(DataView.prototype, "byteLength");
const viewTypes = readViewTypes();

/** True for an ArrayBuffer that still has its memory. */
export function isLiveBuffer(value: unknown): value is ArrayBuffer {
  try {
    return !isDetached(value);
  } catch {
    return false;
  }
}

/** A copy of an ArrayBuffer, resizable like it. */
export function copyBuffer(source: ArrayBuffer): ArrayBuffer {
  if (isDetached(source)) throw dataCloneError("a detached ArrayBuffer");
  const options = isResizable(source) ? { maxByteLength: bufferMaximum(source) } : {};
  const copy = new BufferOf(bufferLength(source), options);
  typedArraySet(new Bytes(copy), new Bytes(source));
  return copy;
}

/** A typed array or DataView of the same kind on the copy of its buffer. */
export function copyView(source: object, copyOf: (buffer: object) => object): object {
  const tag = typedTag(source);
  const { buffer, offset, length } = tag === undefined ? dataViewFields : typedFields;
  const type = viewTypes[tag ?? "DataView"] as ViewOf;
  return new type(copyOf(buffer(source)), offset(source), length(source));
}

/** Takes the memory away from a buffer that was passed in `transfer`. */
export function detachBuffer(buffer: ArrayBuffer): void {
  transferBuffer(buffer);
}

function fieldsOf(prototype: object, length: string): ViewFields {
  return {
    buffer: getterOf(prototype, "buffer"),
    offset: getterOf(prototype, "byteOffset"),
    length: getterOf(prototype, length),
  };
}

function readViewTypes(): Record<string, ViewOf> {
  const kinds = [
    "Int8",
    "Uint8",
    "Uint8Clamped",
    "Int16",
    "Uint16",
    "Int32",
    "Uint32",
    "Float16",
    "Float32",
    "Float64",
    "BigInt64",
    "BigUint64",
  ];
  const types: Record<string, ViewOf> = { DataView: DataView as unknown as ViewOf };
  for (const kind of kinds)
    types[`${kind}Array`] = (globalThis as unknown as Record<string, ViewOf>)[`${kind}Array`] as ViewOf;
  return types;
}
