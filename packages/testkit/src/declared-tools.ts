import type { CodeModeTool, JsonObject, JsonValue, ToolOrigin } from "@code-mode/contract";
import { asList, isJsonObject } from "./json-guards.ts";
import type { ToolJournal } from "./tool-journal.ts";

/**
 * The tools that a case declares itself: those of `tools` are of origin core, those of `mcpServers` answer
 * in process as their server would. `echo` returns the arguments, `returns` a constant.
 */
export function createDeclaredTools(input: JsonObject, journal: ToolJournal): readonly CodeModeTool[] {
  const native = asList(input.tools).map((declared) => nativeTool(declared as JsonObject, journal));
  const servers = isJsonObject(input.mcpServers) ? Object.entries(input.mcpServers) : [];
  const remote = servers.flatMap(([server, tools]) =>
    asList(tools).map((declared) => mcpTool(server, declared as JsonObject, journal)),
  );
  return [...native, ...remote];
}

function nativeTool(declared: JsonObject, journal: ToolJournal): CodeModeTool {
  const answer = (input: JsonValue): JsonValue => (declared.echo === true ? input : (declared.returns ?? null));
  return toolOf(declared, { origin: { kind: "core" }, journal, answer });
}

function mcpTool(server: string, declared: JsonObject, journal: ToolJournal): CodeModeTool {
  const answer = (input: JsonValue): JsonValue => {
    const { returns } = declared;
    const echoed = `${declared.name} ${JSON.stringify(input)}`;
    const text = returns === undefined ? echoed : typeof returns === "string" ? returns : JSON.stringify(returns);
    return { content: [{ type: "text", text }] };
  };
  return toolOf(declared, { origin: { kind: "mcp", server }, journal, answer });
}

type Behaviour = { origin: ToolOrigin; journal: ToolJournal; answer: (input: JsonValue) => JsonValue };

function toolOf(declared: JsonObject, { origin, journal, answer }: Behaviour): CodeModeTool {
  const name = String(declared.name);
  return {
    name,
    description: typeof declared.description === "string" ? declared.description : `The declared tool ${name}.`,
    ...(isJsonObject(declared.inputSchema) ? { parameters: declared.inputSchema } : {}),
    ...(isJsonObject(declared.outputSchema) ? { outputSchema: declared.outputSchema } : {}),
    origin,
    execute(input: JsonValue): JsonValue {
      journal.began(name, input);
      return answer(input);
    },
  };
}
