import { setTimeout as delay } from "node:timers/promises";
import type { JsonValue } from "@code-mode/contract";
import type { CaseRun } from "./case-run.ts";
import type { Facts, HarnessAction } from "./harness-action.ts";
import { isJsonObject } from "./json-guards.ts";

/** A server that has not heard of an abort by then will not. */
const notHeardMs = 5_000;

/** Actions of the human who approves and of the MCP servers of a case. */
export const portActions: readonly HarnessAction[] = [
  {
    prose: /^approve after ([\d.]+) s$/,
    async play(run, match) {
      const approveAfter = delay(Number(match[1]) * 1000);
      run.parts.approvals.answerWith(() => ({ approveAfter }));
      return {};
    },
  },
  {
    prose: /^deny$/,
    async play(run) {
      run.parts.approvals.answerWith(() => "deny");
      return {};
    },
  },
  {
    prose: /^deny n=(\d+), approve n=(\d+)$/,
    async play(run, match) {
      const numberOf = ({ input }: { input: JsonValue }) => (isJsonObject(input) ? String(input.n) : "");
      run.parts.approvals.answerWith((request) => {
        if (numberOf(request) === match[1]) return "deny";
        return numberOf(request) === match[2] ? "approve" : undefined;
      });
      return {};
    },
  },
  {
    prose: /^approve exactly the first request, deny everything else$/,
    async play(run) {
      run.parts.approvals.answerWith((_, index) => (index === 0 ? "approve" : "deny"));
      return {};
    },
  },
  { prose: /^SIGKILL server$/, play: (run) => killServers(run) },
  {
    // the data gives a late server some time; nobody has to wait longer than the server does
    prose: /^wait [\d.]+ s$/,
    async play(run) {
      await run.parts.mcp?.ready();
      return {};
    },
  },
  // the step before it is given up while it runs, see `stepsOf`
  { prose: /^abort run after \d+ ms$/, play: (run) => untilServersHeard(run, "notifications/cancelled") },
];

async function killServers({ parts }: CaseRun): Promise<Facts> {
  for (const server of Object.keys(parts.mcp?.journals ?? {})) {
    const pid = parts.mcp?.pidOf(server);
    if (pid === undefined) continue;
    const gone = parts.mcp?.untilGone(server, pid);
    process.kill(pid, "SIGKILL");
    await gone;
  }
  return {};
}

/** Waits until a message reached every server, or long enough that it never will. */
async function untilServersHeard({ parts }: CaseRun, method: string): Promise<Facts> {
  const journals = Object.values(parts.mcp?.journals ?? {});
  const abortedAt = Date.now();
  const hasAll = (): boolean => journals.every(({ heard }) => heard.some((message) => message.method === method));
  while (!hasAll() && Date.now() - abortedAt < notHeardMs) await delay(10);
  return {};
}
