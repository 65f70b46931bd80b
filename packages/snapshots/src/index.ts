export { createMemorySnapshotStore, type MemorySnapshotStore } from "./create-memory-snapshot-store.ts";
