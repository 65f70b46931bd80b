import type { BugCase, CaseReport } from "@code-mode/testkit";
import { accessCases } from "./access-cases.ts";
import { faceCases } from "./face-cases.ts";
import { historyCases } from "./history-cases.ts";
import { judgePlayed, type PlayCase } from "./played-case.ts";
import { policyCases } from "./policy-cases.ts";
import { providerStreamCases } from "./provider-stream-cases.ts";
import { requestCases } from "./request-cases.ts";
import { sessionKindCases } from "./session-kind-cases.ts";
import { transcriptCases } from "./transcript-cases.ts";

const plays: Readonly<Record<string, PlayCase>> = {
  ...accessCases,
  ...faceCases,
  ...historyCases,
  ...policyCases,
  ...providerStreamCases,
  ...requestCases,
  ...sessionKindCases,
  ...transcriptCases,
};

/** Longest a case may take before it counts as a hang. */
const caseLimitMs = 90_000;

/** True for a case that is played at a gateway process. */
export function isGatewayCase({ id }: BugCase): boolean {
  return Object.hasOwn(plays, id);
}

/** Plays one case at a gateway of its own and judges it. */
export async function runGatewayCase(bugCase: BugCase, timeScale = 1): Promise<CaseReport> {
  const play = plays[bugCase.id];
  if (play === undefined) return { outcome: "planned", problems: ["nobody plays it yet"], unchecked: [] };
  try {
    return judgePlayed(bugCase.expected, await withinLimit(play(bugCase)), timeScale);
  } catch (error) {
    const problem = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { outcome: "fail", problems: [problem], unchecked: [] };
  }
}

async function withinLimit<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const hang = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`hangs: not over within ${caseLimitMs} ms`)), caseLimitMs);
  });
  try {
    return await Promise.race([work, hang]);
  } finally {
    clearTimeout(timer);
  }
}
