export { type AcquireOptions, CellPool, type CellPoolOptions, createCellPool } from "./cell-pool.ts";
export { bodyFirstLineShift, cellFileName } from "./guest-names.ts";
export type { Lease, LostTurn, ParkReply, TurnReply } from "./lease.ts";
export type { ThreadEnd } from "./worker-handle.ts";
