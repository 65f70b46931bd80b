import { cpus, loadavg, totalmem } from "node:os";

/** The machine a table was made on; no names, no paths. */
export type Machine = {
  readonly cores: number;
  readonly cpu: string;
  readonly memoryGib: number;
  readonly node: string;
  readonly date: string;
  readonly loadBefore: number;
};

/** Describes this machine now. */
export function describeMachine(): Machine {
  const cores = cpus();
  return {
    cores: cores.length,
    cpu: cores[0]?.model.trim() ?? "unknown",
    memoryGib: Math.round(totalmem() / 1024 ** 3),
    node: process.version,
    date: new Date().toISOString().slice(0, 10),
    loadBefore: Number((loadavg()[0] ?? 0).toFixed(2)),
  };
}
