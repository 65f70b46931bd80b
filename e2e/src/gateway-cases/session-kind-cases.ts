import { spawn } from "node:child_process";
import { join } from "node:path";
import type { JsonObject } from "@code-mode/contract";
import type { BugCase } from "@code-mode/testkit";
import { CaseGateway } from "./case-gateway.ts";
import { programOf } from "./exec-turn.ts";
import { FaceClient } from "./face-client.ts";
import { equalWord, type PlayCase, type PlayedCase, seenOf, word } from "./played-case.ts";
import { type Trajectory, trajectoryOf } from "./trajectory.ts";

/** The case of exports of every kind of session (X15). */
export const sessionKindCases: Readonly<Record<string, PlayCase>> = { X15: playSessionKinds };

/** The same program through every entry point; each must leave a session that can be exported. */
async function playSessionKinds(bugCase: BugCase): Promise<PlayedCase> {
  const input = programOf(bugCase);
  await using gateway = await CaseGateway.open();
  gateway.provider.say({ calls: [{ id: "a", name: "exec", input }] });
  await gateway.chat({ messages: [{ role: "user", content: "go" }] });
  await using client = await FaceClient.open(gateway);
  await client.result("exec", input);
  await runCli(gateway, ["exec", "-e", String(input.code)]);
  await abortedTurn(gateway);
  const response = await gateway.process.fetch("/api/sessions");
  const { sessions = [] } = (await response.json()) as { sessions?: readonly { readonly id: string }[] };
  const trajectories: Trajectory[] = [];
  for (const { id } of sessions) trajectories.push(await trajectoryOf(gateway, encodeURIComponent(id)));
  const each: JsonObject = {
    everyLineParses: trajectories.every(({ parses }) => parses),
    hasNested: trajectories.filter(({ cells }) => cells.length > 0).length >= 3,
  };
  return {
    whole: seenOf([], gateway),
    words: {
      ...word("exports", sessions, (expected) => trajectories.length === expected),
      ...equalWord("each", each),
    },
  };
}

/** Aborted before the model said anything. */
async function abortedTurn(gateway: CaseGateway): Promise<void> {
  gateway.provider.say({ deltas: [] });
  const turn = gateway.turn("aborted", { message: "go" });
  await gateway.process.fetch("/api/sessions/aborted/abort", { method: "POST" });
  await turn;
}

async function runCli(gateway: CaseGateway, args: readonly string[]): Promise<void> {
  const binary = join(import.meta.dirname, "../../../apps/gateway/bin/codemode.js");
  const { folder } = gateway.process;
  const env = { PATH: process.env.PATH ?? "", HOME: folder, NO_COLOR: "1" };
  const child = spawn(process.execPath, [binary, ...args], { cwd: folder, env, stdio: "ignore" });
  await new Promise((resolve, reject) => child.once("exit", resolve).once("error", reject));
}
