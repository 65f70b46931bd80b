import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CodeModeError, messageOf } from "@code-mode/contract";
import { z } from "zod";
import type { GatewayConfig } from "../../config/load-config.ts";
import { loopbackUrl, readEndpoints } from "../../http/endpoint-registry.ts";
import { approvalStates } from "../../policy/approval.ts";
import { UsageError } from "../usage-error.ts";

const approvalSchema = z.looseObject({
  id: z.string(),
  state: z.enum(approvalStates),
  sessionId: z.string(),
  agentId: z.string(),
  cellId: z.string(),
  parentToolCallId: z.string(),
  toolId: z.string(),
  expiresAt: z.string(),
  text: z.string(),
});
const listSchema = z.object({ approvals: z.array(approvalSchema) });
const errorSchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** An approval as a process answers it. */
export type ShownApproval = z.infer<typeof approvalSchema>;

/** A process that takes decisions. */
type Target = { readonly url: string; readonly token: string };

type Answer = { readonly status: number; readonly body: unknown };

/** Longest that one process may take: a decision is a look into a table, and others may know the approval. */
const answerMs = 10_000;

/** What a request carries beside its path. */
type Asking = { readonly body?: object; readonly signal: AbortSignal };

/** Everything that takes decisions for a configuration: its gateway, and MCP servers on stdio of the same data folder. */
export class ApprovalsClient {
  readonly #targets: readonly Target[];
  readonly #dataDir: string;

  /** @param url only this gateway */
  constructor({ gateway }: GatewayConfig, url?: string) {
    if (url !== undefined && !/^https?:\/\//.test(url))
      throw new UsageError(`--url: found ${JSON.stringify(url)}, expected an address such as http://127.0.0.1:18790.`);
    const endpoints = readEndpoints(gateway.dataDir);
    const own = (url ?? addressOf(gateway)).replace(/\/+$/, "");
    const token = endpoints.find((endpoint) => endpoint.url === own)?.token ?? tokenOf(gateway);
    const target = token === undefined ? [] : [{ url: own, token }];
    this.#dataDir = gateway.dataDir;
    this.#targets = url === undefined ? [...target, ...endpoints.filter((endpoint) => endpoint.url !== own)] : target;
    if (url !== undefined && token === undefined)
      throw new CodeModeError(
        "invalid_input",
        `there is no token for ${url}. Set gateway.auth.token, or gateway.dataDir to the data folder of that gateway.`,
      );
  }

  /**
   * The approvals of all of them.
   * @throws CodeModeError `runtime_unavailable` when none answers
   */
  async list(
    filter: { session?: string | undefined; state?: string | undefined },
    signal: AbortSignal,
  ): Promise<readonly ShownApproval[]> {
    const query = new URLSearchParams(
      Object.entries(filter).filter((pair): pair is [string, string] => pair[1] !== undefined),
    );
    const answers = await this.#askAll(`/api/approvals?${query}`, { signal });
    const lists = answers.filter(({ status }) => status === 200);
    // one that refuses the token may belong to somebody else; only when nothing else answers is that the news
    if (lists.length === 0) throw refusalOf(answers[0]?.status ?? 404, answers[0]?.body);
    return lists.flatMap(({ body }) => listSchema.parse(body).approvals);
  }

  /**
   * Decides one approval, wherever it is.
   * @throws CodeModeError when none answers, none knows it, or it is settled already
   */
  async decide(
    id: string,
    { approved, reason, signal }: { approved: boolean; reason: string | undefined; signal: AbortSignal },
  ): Promise<ShownApproval> {
    const decision = {
      decision: approved ? "approve" : "deny",
      by: "cli",
      ...(reason === undefined ? {} : { reason }),
    };
    const answers = await this.#askAll(`/api/approvals/${encodeURIComponent(id)}`, { body: decision, signal });
    const knows = answers.find(({ status }) => status === 200 || status === 409);
    const found = knows ?? answers.find(({ status }) => status === 404) ?? answers[0];
    if (found?.status === 200) return approvalSchema.parse(found.body);
    throw refusalOf(found?.status ?? 404, found?.body);
  }

  async #askAll(path: string, asking: Asking): Promise<readonly Answer[]> {
    const problems: string[] = [];
    const answers: Answer[] = [];
    for (const target of this.#targets) {
      try {
        answers.push(await ask(target, path, asking));
      } catch (error) {
        asking.signal.throwIfAborted();
        problems.push(`${target.url}: ${messageOf((error as { cause?: unknown }).cause ?? error)}`);
      }
    }
    if (answers.length > 0) return answers;
    throw new CodeModeError(
      "runtime_unavailable",
      `nothing that takes decisions is running${problems.length > 0 ? ` (${problems.join("; ")})` : ` with data folder ${this.#dataDir}`}. Start codemode gateway, name the configuration of the one that runs with --config, or its address with --url.`,
    );
  }
}

async function ask({ url, token }: Target, path: string, { body, signal }: Asking): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const post = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
  const response = await fetch(`${url}${path}`, { headers, signal: inTime, ...post });
  const text = await response.text();
  try {
    return { status: response.status, body: JSON.parse(text) };
  } catch {
    throw new Error(`what answers there is no gateway (HTTP ${response.status})`);
  }
}

function refusalOf(status: number, body: unknown): CodeModeError {
  const said = errorSchema.safeParse(body).data?.error.message ?? `HTTP ${status}`;
  if (status !== 401) return new CodeModeError("tool_error", said);
  return new CodeModeError(
    "tool_error",
    "the gateway refused the token. Set gateway.auth.token or gateway.dataDir as they are in the configuration of that gateway.",
  );
}

function addressOf({ host, port }: GatewayConfig["gateway"]): string {
  const name = host.replace(/^\[(.*)\]$/, "$1");
  return loopbackUrl(`http://${name.includes(":") ? `[${name}]` : name}:${port}`);
}

/** The configured token, else the one that a gateway has left in the data folder; none is made here. */
function tokenOf({ token, dataDir }: GatewayConfig["gateway"]): string | undefined {
  if (token !== undefined) return token;
  try {
    return readFileSync(join(dataDir, "token"), "utf8").trim() || undefined;
  } catch {
    // no gateway was ever started here
    return undefined;
  }
}
