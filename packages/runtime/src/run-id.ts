import { randomBytes } from "node:crypto";

/** A run id that cannot be guessed: 144 random bits. */
export function createRunId(): string {
  return randomBytes(18).toString("base64url");
}
