// Sample plugin: shows the shape of a plugin and gives the demo a slow tool that reports progress.
import { setTimeout as after } from "node:timers/promises";

const stock = { apples: 14, pears: 3, plums: 0 };
const shelves = 4;

// biome-ignore lint/style/noDefaultExport: a plugin is the default export of its module
export default {
  id: "sample",
  name: "Sample warehouse",
  tools: [
    {
      name: "warehouse_count",
      label: "Count stock",
      description: "Count the stock of an item in the warehouse, shelf by shelf. Slow: takes more than a second.",
      parameters: {
        type: "object",
        properties: { item: { type: "string", description: "apples, pears or plums" } },
        required: ["item"],
        additionalProperties: false,
      },
      outputSchema: {
        type: "object",
        properties: { item: { type: "string" }, total: { type: "integer" } },
        required: ["item", "total"],
      },
      replaySafe: true,
      async execute({ item }, { signal, onUpdate }) {
        if (!Object.hasOwn(stock, item)) {
          throw Object.assign(new Error(`no item "${item}"; known: ${Object.keys(stock).join(", ")}`), {
            code: "unknown_item",
          });
        }
        for (let shelf = 1; shelf <= shelves; shelf++) {
          await after(450, undefined, { signal });
          onUpdate(`shelf ${shelf} of ${shelves}`);
        }
        return { item, total: stock[item] };
      },
    },
  ],
};
