import type { NamespaceInputMapper } from "./namespace-types.ts";

/** Shared by all copies of this package in a process: a plugin may load another copy than its host. */
const brand = Symbol.for("code-mode.namespace-tool");

/** A callable member of a scope. Holds no function that a guest could reach: calls are looked up on the host. */
export type NamespaceTool = {
  readonly toolName: string;
  readonly inputMapper: NamespaceInputMapper | undefined;
};

/**
 * A scope member that calls a catalog tool of the namespace's plugin (NS-2).
 * @param inputMapper gets all guest arguments as one array and returns the input object; without it the first argument, or `{}`, is the input
 */
export function createCodeModeNamespaceTool(toolName: string, inputMapper?: NamespaceInputMapper): NamespaceTool {
  return Object.freeze({ [brand]: true, toolName, inputMapper });
}

/** The callable that a value is, copied once so that it cannot change later; nothing for any other value. */
export function asNamespaceTool(value: object): NamespaceTool | undefined {
  if ((value as { [brand]?: unknown })[brand] !== true) return undefined;
  const { toolName, inputMapper } = value as Partial<NamespaceTool>;
  if (typeof toolName !== "string") return undefined;
  return { toolName, inputMapper: typeof inputMapper === "function" ? inputMapper : undefined };
}
