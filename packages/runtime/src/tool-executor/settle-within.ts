/** How work ended that had a time limit. */
export type TimedResult<T> =
  | { readonly type: "done"; readonly value: T }
  | { readonly type: "failed"; readonly error: unknown }
  | { readonly type: "late" };

/** Runs work and waits for it at most `limitMs`; whatever it does after that is dropped. Never rejects. */
export function settleWithin<T>(work: () => Promise<T>, limitMs: number): Promise<TimedResult<T>> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ type: "late" }), limitMs);
    const end = (result: TimedResult<T>) => {
      clearTimeout(timer);
      resolve(result);
    };
    work().then(
      (value) => end({ type: "done", value }),
      (error: unknown) => end({ type: "failed", error }),
    );
  });
}
