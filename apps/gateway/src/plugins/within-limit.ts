/** Longest a plugin may take for its import, its setup or its dispose. */
export const pluginStepMs = 10_000;

/**
 * Waits for one step of a plugin, but not for ever.
 * @throws Error when the step is still running after the limit
 */
export async function withinLimit<T>(step: string, work: Promise<T>, limitMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  // not unref'd: a hanging plugin may be all there is, and the process must live to say so
  const timer = setTimeout(() => late.reject(new Error(`${step} was still running after ${limitMs} ms`)), limitMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
