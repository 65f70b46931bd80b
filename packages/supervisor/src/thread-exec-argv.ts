/** Node flags a worker must keep: how packages resolve, and the permission model, which an empty list would drop. */
const kept = /^(--conditions|-C|--permission|--allow-|--experimental-permission)/;

/**
 * The Node flags of a worker thread. The process's own may hold flags that only fit its main script
 * (`--input-type`, `--eval`, `--import`), with which a worker would not start.
 */
export function threadExecArgv(processArgv: readonly string[]): string[] {
  const flags: string[] = [];
  for (let index = 0; index < processArgv.length; index++) {
    const flag = processArgv[index] as string;
    if (!kept.test(flag)) continue;
    flags.push(flag);
    if (flag === "--conditions" || flag === "-C") flags.push(processArgv[++index] ?? "");
  }
  return flags;
}
