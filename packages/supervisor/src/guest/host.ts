/**
 * The one synchronous way out of the VM. Operations: `text`, `json` (append output), `tool` (safe name → id),
 * `tools` (names), `allTools`, `servers`, `server`, `member`, `lazy` (load a polyfill), `bytes` (UTF-8 length).
 */
export type HostCall = (operation: string, first?: string, second?: string) => unknown;
