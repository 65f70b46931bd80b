import { declarationMatchers } from "./declaration-matchers.ts";
import { effectMatchers } from "./effect-matchers.ts";
import { factMatchers } from "./fact-matchers.ts";
import type { Matcher } from "./matcher.ts";
import { messageMatchers } from "./message-matchers.ts";
import { neverMatchers } from "./never-matcher.ts";
import { outputMatchers } from "./output-matchers.ts";
import { recordMatchers } from "./record-matchers.ts";
import { serverMatchers } from "./server-matchers.ts";
import { statusMatchers } from "./status-matchers.ts";
import { timeMatchers } from "./time-matchers.ts";
import { valueMatchers } from "./value-matchers.ts";

/** Every expectation that can be judged here, by its name in the data. */
export const matchers: Readonly<Record<string, Matcher>> = {
  ...statusMatchers,
  ...valueMatchers,
  ...messageMatchers,
  ...outputMatchers,
  ...effectMatchers,
  ...timeMatchers,
  ...neverMatchers,
  ...factMatchers,
  ...recordMatchers,
  ...serverMatchers,
  ...declarationMatchers,
};

/** Words for a person; nothing is judged by them. */
export const remarks: ReadonlySet<string> = new Set(["note", "alternative"]);

/** Expectations about the inside of the host that no result shows; the rest of such a case is judged. */
export const unseen: ReadonlySet<string> = new Set([
  "workerStarted",
  "networkRequests",
  "hostTimersMax",
  "memory",
  "ledgerMatchesReport",
]);

/** Expectations that need the gateway, a provider or an MCP process: a case that has one is planned until those run it. */
export const deferred: ReadonlySet<string> = new Set([
  ...["modelTools", "allowedKeywords", "maxDescriptionChars", "strictFlag"],
  ...["logMatches", "afterMs", "nestedAborted", "workersAlive", "ping"],
  ...[
    "transcript",
    "transcriptNever",
    "transcriptBytesMax",
    "export",
    "exports",
    "each",
    "exportContains",
    "exportNever",
  ],
  ...["everyLineParses", "rerunValue", "secondExportIdentical", "providerCallsDuringExport", "healthP99Ms"],
  ...[
    "calls",
    "toolResult",
    "nextRequest",
    "executed",
    "sent",
    "sentRoles",
    "turnEnds",
    "providerCallsMax",
    "errorMatches",
    "variants",
  ],
  ...[
    "outgoingIdsMatch",
    "pairingKept",
    "collisions",
    "providerRequest",
    "result",
    "structuredContent",
    "httpStatus",
    "hint",
  ],
  ...["approvalRequestedAgain", "executedBeforeDecision", "reasonMatches", "approvalText", "resultMarkedUntrusted"],
  ...["fileExists", "promptOrIgnored", "allPropertiesRequired", "optionalAsNullable", "additionalProperties"],
]);
