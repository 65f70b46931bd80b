/** A plugin whose tools keep count of what ran, on an object that the test owns. */
export default {
  id: "counter",
  tools: [
    {
      name: "counter_incr",
      description: "Adds one.",
      parameters: { type: "object", properties: { key: { type: "string" } } },
      execute: ({ key = "" }) => {
        globalThis.testCounters ??= {};
        globalThis.testCounters[key] = (globalThis.testCounters[key] ?? 0) + 1;
        return globalThis.testCounters[key];
      },
    },
    {
      name: "gate",
      description: "Waits until the test opens it.",
      parameters: {},
      execute: (_input, { signal }) =>
        new Promise((resolve, reject) => {
          signal.addEventListener("abort", () => reject(new Error("gate aborted")), { once: true });
          globalThis.testGate?.(resolve);
        }),
    },
  ],
};
