import type { Host } from "../compose.ts";
import type { Debug } from "./open-debug.ts";

/** The same host; says which tools each run shows to its model (DBG-1). */
export function debugHost(host: Host, debug: Debug | undefined): Host {
  if (debug === undefined) return host;
  return {
    ...host,
    async activate(scope) {
      const surface = await host.activate(scope);
      const { agentId, agentRunId } = scope;
      debug.log.codeMode("surface", { agentId, agentRunId, tools: surface.tools.map(({ name }) => name) });
      return surface;
    },
  };
}
