/** How work ended that had a time limit. */
export type TimedResult<T> =
  | { readonly type: "done"; readonly value: T }
  | { readonly type: "failed"; readonly error: unknown }
  | { readonly type: "late" };

/** Runs work and waits for it at most `limitMs`; whatever it does after that is dropped. Never rejects. */
export function settleWithin<T>(work: () => Promise<T>, limitMs: number): Promise<TimedResult<T>> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    let open = true;
    const end = (result: TimedResult<T>) => {
      open = false;
      clearTimeout(timer);
      resolve(result);
    };
    work().then(
      (value) => end({ type: "done", value }),
      (error: unknown) => end({ type: "failed", error }),
    );
    // Most work is over once all promises ran: only what is not needs a timer.
    process.nextTick(() => {
      if (open) timer = setTimeout(() => end({ type: "late" }), limitMs);
    });
  });
}
