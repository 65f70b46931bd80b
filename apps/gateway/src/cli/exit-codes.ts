/** Exit codes of every command. */
export const exitCodes = { success: 0, workFailed: 1, wrongUsage: 2 } as const;
