/** How one thing is: `fail` keeps codemode from working, `warn` is worth a look. */
export type CheckStatus = "ok" | "warn" | "fail";

/** What `codemode doctor` says about one thing (CLI-7). */
export type Check = {
  readonly name: string;
  readonly status: CheckStatus;
  readonly message: string;
  /** What to do about it. */
  readonly fix?: string;
};

/** A check that is fine. */
export function ok(name: string, message: string): Check {
  return { name, status: "ok", message };
}

/** A check with something to look at. */
export function warn(name: string, message: string, fix: string): Check {
  return { name, status: "warn", message, fix };
}

/** A check that found what does not work. */
export function fail(name: string, message: string, fix: string): Check {
  return { name, status: "fail", message, fix };
}
