import type { McpMember } from "../mcp-servers.ts";
import { typeName } from "./alias-names.ts";
import { docText } from "./doc-text.ts";
import { propertyKey } from "./literal-type.ts";
import { parameterDoc } from "./property-doc.ts";
import { isSchemaObject, nameList, schemaMap } from "./schema-object.ts";
import { type TypeAlias, TypeWriter } from "./type-writer.ts";

/** The method of one MCP tool, with the types it names. */
export type ToolDeclaration = { readonly text: string; readonly aliases: readonly TypeAlias[] };

/** Longest description of a tool; the whole one comes with `$api(tool, {schema: true})`. */
const maxToolDocLength = 400;
const maxDocumentedParameters = 400;
const indent = "  ";

/**
 * Prints an MCP tool as an interface method with JSDoc (MCP-5).
 * @param aliasPrefix put before the names of its types, to tell them from those of another tool
 */
export function toolDeclaration(member: McpMember, aliasPrefix = ""): ToolDeclaration {
  const { tool } = member.tool;
  const name = typeName(member.name);
  const input = new TypeWriter(tool.parameters, { rootName: `${name}Input`, aliasPrefix, nestedDocs: true });
  const output = new TypeWriter(tool.outputSchema, { rootName: `${name}Output`, aliasPrefix });
  const inputText = input.writeRoot(indent);
  const resultText = tool.outputSchema === undefined ? "unknown" : output.writeRoot(indent);
  const inputType = inputText === "unknown" ? "Record<string, unknown>" : inputText;
  const result = resultText === "unknown" ? "McpToolResult" : `McpToolResult<${resultText}>`;
  const optional = isSchemaObject(tool.parameters) && nameList(tool.parameters, "required").length > 0 ? "" : "?";
  const method = `${indent}${propertyKey(member.name)}(input${optional}: ${inputType}): Promise<${result}>;`;
  return { text: `${jsDoc(member)}${method}\n`, aliases: [...input.aliases, ...output.aliases] };
}

function jsDoc(member: McpMember): string {
  const { tool, entry } = member.tool;
  const description = docText(entry.description || entry.label, maxToolDocLength);
  const parameters = isSchemaObject(tool.parameters) ? schemaMap(tool.parameters, "properties") : [];
  const lines = parameters.slice(0, maxDocumentedParameters).flatMap(([name, schema]) => {
    const doc = parameterDoc(schema);
    return doc === "" ? [] : [`@param ${docText(name, 80)} ${doc}`];
  });
  const text = [description, ...lines].filter((line) => line !== "");
  // opened and closed on lines with text: empty comment lines are a fortieth of all tokens
  return text.length === 0 ? "" : `${indent}/** ${text.join(`\n${indent} * `)} */\n`;
}
