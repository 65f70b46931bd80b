import { connectMcpServers } from "@code-mode/mcp";
import type { CaseMcp, CaseServers } from "@code-mode/testkit";

/** A case with a slow server starts without it. */
const startLimitMs = 3_000;

/** The servers of a case behind the product's MCP client. */
export async function connectCaseMcp(servers: CaseServers): Promise<CaseMcp> {
  const stderr: string[] = [];
  const connections = connectMcpServers(servers.configs, {
    onStderr: (server, line) => void stderr.push(`${server}: ${line}`),
  });
  await connections.ready({ timeoutMs: startLimitMs });
  const pidOf = (server: string): number | undefined => connections.states().find(({ name }) => name === server)?.pid;
  return {
    toolSet: () => connections.toolSet(),
    journals: servers.journals,
    pidOf,
    ready: () => connections.ready(),
    untilGone(server, pid) {
      const gone = Promise.withResolvers<void>();
      const stop = connections.onChange(() => {
        if (pidOf(server) !== pid) gone.resolve();
      });
      return gone.promise.finally(stop);
    },
    diagnostics() {
      const usable = connections.states().filter(({ state }) => state === "ready");
      const problems = usable.flatMap(({ name, note, problems: found }) => [
        ...(note === undefined ? [] : [`${name}: ${note}`]),
        ...found.map(({ tool, problem }) => `${name}${tool === undefined ? "" : `.${tool}`}: ${problem}`),
      ]);
      return [...problems, ...stderr];
    },
    [Symbol.asyncDispose]: () => connections[Symbol.asyncDispose](),
  };
}
