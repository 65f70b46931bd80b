import type { UnavailableServer } from "@code-mode/contract";
import { docText } from "./declarations/doc-text.ts";
import { stateNote } from "./declarations/index-file.ts";
import type { McpServer } from "./mcp-servers.ts";

/** The servers that offer nothing because they are not ready; one that is being restarted keeps its tools. */
export function unavailableServers(servers: readonly McpServer[]): UnavailableServer[] {
  return servers.flatMap((server) => {
    const why = stateNote(server);
    if (why === undefined || server.members.length + server.special.size > 0) return [];
    return [{ name: docText(server.name, 80), guestName: server.guestName, why }];
  });
}
