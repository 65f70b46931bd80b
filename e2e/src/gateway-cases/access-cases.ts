import { request } from "node:http";
import type { JsonObject, JsonValue } from "@code-mode/contract";
import { asList, type BugCase, isJsonObject } from "@code-mode/testkit";
import { CaseGateway } from "./case-gateway.ts";
import { programOf } from "./exec-turn.ts";
import { FaceClient } from "./face-client.ts";
import { type PlayCase, type PlayedCase, seenOf, word } from "./played-case.ts";

/** Cases of who may ask the gateway, and of what it asks a person (Z13, Z14). */
export const accessCases: Readonly<Record<string, PlayCase>> = { Z13: playApprovalText, Z14: playForeignHosts };

async function playApprovalText(bugCase: BugCase): Promise<PlayedCase> {
  await using gateway = await CaseGateway.open();
  let asked = "";
  await using client = await FaceClient.open(gateway, (message) => {
    asked = message;
    return "decline";
  });
  const result = await client.result("exec", programOf(bugCase));
  const isWanted = (expected: JsonValue): boolean => {
    const { neverRegex, contains } = isJsonObject(expected) ? expected : {};
    return asked.includes(String(contains)) && !new RegExp(String(neverRegex)).test(asked);
  };
  return { whole: seenOf([result], gateway), words: word("approvalText", asked, isWanted) };
}

/** `fetch` sets the Host header itself. */
async function playForeignHosts({ input }: BugCase): Promise<PlayedCase> {
  await using gateway = await CaseGateway.open();
  const { port } = new URL(gateway.process.url);
  const statuses: number[] = [];
  for (const headers of asList(input.requests).filter(isJsonObject))
    for (const path of ["/v1/models", "/api/sessions"]) statuses.push(await statusOf(gateway, { port, path, headers }));
  const pairs = statuses.filter((_, index) => index % 2 === 0);
  const isSameOnBoth = statuses.every((status, index) => status === pairs[Math.floor(index / 2)]);
  return {
    whole: seenOf([]),
    words: word(
      "httpStatus",
      statuses,
      (expected) => isSameOnBoth && JSON.stringify(expected) === JSON.stringify(pairs),
    ),
  };
}

type Target = { readonly port: string; readonly path: string; readonly headers: JsonObject };

function statusOf(gateway: CaseGateway, { port, path, headers }: Target): Promise<number> {
  const own = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, String(value).replace("18789", port)]),
  );
  const options = {
    port,
    host: "127.0.0.1",
    path,
    headers: { authorization: `Bearer ${gateway.process.token}`, ...own },
  };
  return new Promise((resolve, reject) => {
    request(options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on("error", reject)
      .end();
  });
}
