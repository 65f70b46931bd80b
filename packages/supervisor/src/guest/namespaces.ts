import { type Calls, rejecting } from "./calls.ts";
import { defineProperty, freeze, isArray, objectCreate, ownKeys, setOwn, stringifyJson } from "./intrinsics.ts";

type NamespaceContext = { readonly calls: Calls; inputText(value: unknown): string };

/** A namespace as it crosses: plain values, and `{$call: path}` where a callable member stands. */
type Descriptor = { id: string; globalName: string; scope: unknown };

/** Defines the global of each visible namespace and the `namespaces` map (NS-8). */
export function materializeNamespaces(context: NamespaceContext, descriptors: unknown): void {
  const all = objectCreate(null) as object;
  if (isArray(descriptors)) {
    for (let index = 0; index < descriptors.length; index++) {
      const { id, globalName, scope } = descriptors[index] as Descriptor;
      const value = materialize(context, id, scope);
      setOwn(all, globalName, value);
      defineProperty(globalThis, globalName, { value, writable: false, enumerable: true, configurable: false });
    }
  }
  defineProperty(globalThis, "namespaces", {
    value: freeze(all),
    writable: false,
    enumerable: true,
    configurable: false,
  });
}

function materialize(context: NamespaceContext, id: string, node: unknown): unknown {
  if (typeof node !== "object" || node === null) return node;
  const path = (node as { $call?: unknown }).$call;
  if (typeof path === "string") {
    const send = rejecting((args) =>
      context.calls.send("namespace", id, `{"path":${stringifyJson(path)},"args":${context.inputText(args)}}`),
    );
    return freeze((...args: unknown[]) => send(args));
  }
  const copy: object = isArray(node) ? [] : {};
  const keys = ownKeys(node);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as string;
    if (key !== "length" || !isArray(node))
      setOwn(copy, key, materialize(context, id, (node as Record<string, unknown>)[key]));
  }
  return freeze(copy);
}
