import type { NamespaceInputMapper } from "./namespace-types.ts";

/** Marks a callable member of a scope. Holds no function that a guest could reach: calls are looked up on the host. */
export class NamespaceTool {
  readonly toolName: string;
  readonly inputMapper: NamespaceInputMapper | undefined;

  constructor(toolName: string, inputMapper: NamespaceInputMapper | undefined) {
    this.toolName = toolName;
    this.inputMapper = inputMapper;
    Object.freeze(this);
  }
}

/**
 * A scope member that calls a catalog tool of the namespace's plugin (NS-2).
 * @param inputMapper gets all guest arguments as one array and returns the input object; without it the first argument, or `{}`, is the input
 */
export function createCodeModeNamespaceTool(toolName: string, inputMapper?: NamespaceInputMapper): NamespaceTool {
  return new NamespaceTool(toolName, inputMapper);
}
