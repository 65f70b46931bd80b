import type { CodeModeResult, JsonObject, JsonValue } from "@code-mode/contract";
import { asList, type BugCase, CaseServers, isJsonObject, type Matcher, serverSpecsOf } from "@code-mode/testkit";
import { CaseGateway, type CaseGatewayOptions } from "./case-gateway.ts";
import { execTurn, programOf } from "./exec-turn.ts";
import { equalWord, neverWord, type PlayCase, type PlayedCase, seenOf, word } from "./played-case.ts";
import { exportHas, type Trajectory, trajectoryOf } from "./trajectory.ts";

/** Cases of what a session's export holds (X01–X14, M11, M16). */
export const transcriptCases: Readonly<Record<string, PlayCase>> = {
  M11: playServerExport,
  M16: playServerExport,
  X01: playReload,
  X02: (bugCase) => playExport(bugCase),
  X03: playRerun,
  X06: (bugCase) => playExport(bugCase, { config: secretServers(bugCase) }),
  X07: (bugCase) => playExport(bugCase),
  X09: (bugCase) => playExport(bugCase, { config: { tools: { codeMode: { enabled: true, timeoutMs: 500 } } } }),
  X12: playDebugLog,
  X13: playTwoExports,
  X14: (bugCase) => playExport(bugCase),
};

async function playExport(bugCase: BugCase, options: CaseGatewayOptions = {}): Promise<PlayedCase> {
  await using gateway = await CaseGateway.open(options);
  const { result } = await execTurn(gateway, programOf(bugCase));
  // awaited here: the gateway ends with this function
  return await exported(gateway, result);
}

async function playServerExport(bugCase: BugCase): Promise<PlayedCase> {
  await using servers = await CaseServers.open(serverSpecsOf(bugCase.input));
  await using gateway = await CaseGateway.open({ config: { mcpServers: servers.configs as JsonObject } });
  await gateway.process.untilStderr("MCP server s: ready");
  const { result } = await execTurn(gateway, programOf(bugCase));
  // awaited here: the gateway ends with this function
  return await exported(gateway, result);
}

async function exported(gateway: CaseGateway, result: CodeModeResult | undefined): Promise<PlayedCase> {
  const trajectory = await trajectoryOf(gateway, "s");
  return { whole: seenOf([result], gateway), words: exportWords(trajectory) };
}

/** Words about one export. */
export function exportWords(trajectory: Trajectory): Record<string, Matcher> {
  const lacks = (expected: JsonValue): boolean => !asList(expected).some((text) => exportHas(trajectory, String(text)));
  return {
    ...equalWord("everyLineParses", trajectory.parses),
    ...word("export", trajectory.calls, (expected) => isExport(trajectory, expected)),
    ...word("exportContains", trajectory.text, (expected) =>
      asList(expected).every((text) => exportHas(trajectory, String(text))),
    ),
    ...word("exportNever", trajectory.text, lacks),
    ...word("never", trajectory.text, lacks),
    ...word("transcript", trajectory.calls, (expected) =>
      Object.entries(expected as JsonObject).every(([tool, status]) =>
        trajectory.calls.some((call) => call.tool === tool && call.status === status),
      ),
    ),
    ...word("transcriptBytesMax", trajectory.text.length, (expected) => trajectory.text.length <= Number(expected)),
    ...word("transcriptNever", trajectory.text.slice(0, 300), () => !/[A-Za-z0-9+/]{100000}/.test(trajectory.text)),
  };
}

/** Nested calls in order, each under a call of `exec` that the export shows too. */
function isExport({ calls, cells }: Trajectory, expected: JsonValue): boolean {
  const wanted = asList(isJsonObject(expected) ? expected.nested : undefined).filter(isJsonObject);
  const parents = cells.map(({ id }) => id);
  return (
    calls.length === wanted.length &&
    wanted.every(({ tool, status, errorMatches }, index) => {
      const call = calls[index];
      const fits = call?.tool === tool && call?.status === status && parents.includes(call?.parentId ?? "");
      return fits && (errorMatches === undefined || new RegExp(String(errorMatches)).test(call?.error ?? ""));
    })
  );
}

/** The same view before and after a restart from disk. */
async function playReload(bugCase: BugCase): Promise<PlayedCase> {
  await using gateway = await CaseGateway.open();
  const { result } = await execTurn(gateway, programOf(bugCase));
  const live = await trajectoryOf(gateway, "s");
  await gateway.process.stop("SIGKILL");
  await gateway.start();
  const reloaded = await trajectoryOf(gateway, "s");
  const words = exportWords(reloaded);
  const same = reloaded.text === live.text;
  return {
    whole: seenOf([result], gateway),
    words: {
      ...words,
      export: (expected, context) =>
        same ? words.export?.(expected, context) : `the export differs after a reload: ${reloaded.text.slice(0, 300)}`,
    },
  };
}

async function playRerun(bugCase: BugCase): Promise<PlayedCase> {
  await using gateway = await CaseGateway.open();
  const { result } = await execTurn(gateway, programOf(bugCase));
  const trajectory = await trajectoryOf(gateway, "s");
  const code = trajectory.cells[0]?.code ?? "";
  const again = (await execTurn(gateway, { code }, { session: "again" })).result;
  const value = again?.status === "completed" ? again.value : undefined;
  return {
    whole: seenOf([result], gateway),
    words: { ...exportWords(trajectory), ...equalWord("rerunValue", value) },
  };
}

async function playTwoExports(bugCase: BugCase): Promise<PlayedCase> {
  await using gateway = await CaseGateway.open();
  const { result } = await execTurn(gateway, programOf(bugCase));
  const before = gateway.requests.length;
  const [first, second] = [await gateway.trajectory("s"), await gateway.trajectory("s")];
  return {
    whole: seenOf([result], gateway),
    words: {
      ...equalWord("providerCallsDuringExport", gateway.requests.length - before),
      ...equalWord("secondExportIdentical", first === second && first !== ""),
    },
  };
}

async function playDebugLog(bugCase: BugCase): Promise<PlayedCase> {
  const env = {
    OPENCLAW_DEBUG_CODE_MODE: "1",
    OPENCLAW_DEBUG_MODEL_TRANSPORT: "1",
    OPENCLAW_DEBUG_MODEL_PAYLOAD: "full-redacted",
    OPENCLAW_DEBUG_SSE: "peek",
  };
  await using gateway = await CaseGateway.open({ env, config: secretServers(bugCase) });
  await gateway.process.untilStderr("MCP server s:");
  await execTurn(gateway, { code: "return 1" });
  const log = gateway.process.stderr;
  return {
    whole: seenOf([], gateway),
    words: {
      ...neverWord(log),
      ...word("logMatches", log.slice(0, 2_000), (expected) => new RegExp(String(expected), "i").test(log)),
    },
  };
}

/** The servers of the case's configuration, at an address where nobody listens. */
function secretServers({ input }: BugCase): JsonObject {
  const servers = isJsonObject(input.config) && isJsonObject(input.config.mcpServers) ? input.config.mcpServers : {};
  const entries = Object.entries(servers).map(([name, server]) => [
    name,
    { url: "http://127.0.0.1:18799/mcp", ...(server as JsonObject) },
  ]);
  return { mcpServers: Object.fromEntries(entries) as JsonObject };
}
