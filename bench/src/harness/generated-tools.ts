import type { CodeModeTool } from "@code-mode/contract";
import { createSeededRandom, type SeededRandom } from "./seeded-random.ts";

const verbs = ["list", "get", "create", "update", "delete", "archive", "export", "assign"];
const nouns = ["invoice", "ticket", "contact", "branch", "sprint", "payment", "report", "webhook", "label", "shipment"];
const details = ["owner", "status", "region", "priority", "reference", "currency", "language", "channel"];

/** Native tools with plausible names, descriptions and schemas; the same for the same seed. */
export function generateTools(count: number, seed: number): CodeModeTool[] {
  const random = createSeededRandom(seed);
  return Array.from({ length: count }, (_, index) => generateTool(index, random));
}

function generateTool(index: number, random: SeededRandom): CodeModeTool {
  const verb = random.pick(verbs);
  const noun = random.pick(nouns);
  const fields = [random.pick(details), `${random.pick(details)}_id`];
  const properties = Object.fromEntries(
    fields.map((field) => [field, { type: "string", description: `The ${field.replace("_", " ")} of the ${noun}.` }]),
  );
  return {
    name: `${verb}_${noun}_${index}`,
    description: `Use this to ${verb} one ${noun} by its id, with its ${fields.join(" and ")} where they are known.`,
    parameters: {
      type: "object",
      properties: { id: { type: "integer", description: `Number of the ${noun}.` }, ...properties },
      required: ["id"],
    },
    execute: (input) => ({ id: (input as { id: number }).id, name: noun }),
  };
}
