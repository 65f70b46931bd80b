import type { CodeModeTool } from "@code-mode/contract";

const verbs = ["list", "get", "create", "update", "delete", "archive", "export", "assign"];
const nouns = ["invoice", "ticket", "contact", "branch", "sprint", "payment", "report", "webhook", "label", "shipment"];
const details = ["owner", "status", "region", "priority", "reference", "currency", "language", "channel"];
const toolsPerServer = 100;

/** MCP tools of servers with a hundred tools each, with plausible texts; the same for the same seed. */
export function generatedTools(count: number, seed: number): CodeModeTool[] {
  let state = seed;
  const pick = (words: readonly string[]): string => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return words[Math.floor((state / 2 ** 32) * words.length)] ?? "";
  };
  return Array.from({ length: count }, (_, index) => {
    const [verb, noun, detail, other] = [pick(verbs), pick(nouns), pick(details), pick(details)];
    return {
      name: `${verb}_${noun}_${index}`,
      description: `Use this to ${verb} one ${noun} by its id, with its ${detail} and ${other} where they are known.`,
      parameters: {
        type: "object",
        properties: {
          id: { type: "integer", description: `Number of the ${noun}.` },
          [detail]: { type: "string", description: `The ${detail} of the ${noun}.` },
        },
        required: ["id"],
      },
      origin: { kind: "mcp", server: `server-${Math.floor(index / toolsPerServer)}` },
      execute: () => null,
    };
  });
}
