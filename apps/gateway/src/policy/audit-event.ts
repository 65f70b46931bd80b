import type { ApprovalEvent } from "./approval.ts";
import type { PolicyDenied } from "./policy-port.ts";

/** A decision about a call that is no event of the call itself: who allowed or refused it, and by what. */
export type AuditEvent = ApprovalEvent | PolicyDenied;

/** Hears of decisions as they fall, with the session they belong to; must not throw. */
export type AuditListener = (event: AuditEvent) => void;
