import { cpus, loadavg, totalmem } from "node:os";

/** The machine a table was made on; no names, no paths. */
export type Machine = {
  readonly cores: number;
  readonly cpu: string;
  readonly memoryGib: number;
  readonly node: string;
  readonly date: string;
  readonly loadBefore: number;
  /** What of ours is measured: the packages as installed, or their sources. */
  readonly measures: "built packages" | "sources";
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
    measures: process.execArgv.some((flag) => flag.includes("@code-mode/source")) ? "sources" : "built packages",
    loadBefore: Number((loadavg()[0] ?? 0).toFixed(2)),
  };
}
