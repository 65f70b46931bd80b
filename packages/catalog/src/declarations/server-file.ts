import type { McpMember, McpServer } from "../mcp-servers.ts";
import { typeName } from "./alias-names.ts";
import { firstSentence } from "./doc-text.ts";
import { mcpApiHeaderType, mcpToolResultType, mcpToolType, namespaceBlock, specialMembers } from "./file-parts.ts";
import { propertyKey } from "./literal-type.ts";
import { type ToolDeclaration, toolDeclaration } from "./tool-declaration.ts";
import type { TypeAlias } from "./type-writer.ts";

/** A server file longer than this (about 4,000 tokens) becomes an index: a model that reads it pays for all of it. */
const maxServerFileLength = 16_000;
/** Lengths of the one-line summaries of an index, tried until it is short enough. */
const summaryLengths = [100, 60, 30] as const;

/**
 * The declarations of a whole server, or `undefined` when they are too long for one file.
 * @param maxLength most characters, `maxServerFileLength` by default
 */
export function fullServerFile(server: McpServer, maxLength: number = maxServerFileLength): string | undefined {
  const declarations: ToolDeclaration[] = [];
  let length = 0;
  for (const member of server.members) {
    const declaration = toolDeclaration(member);
    length += declaration.text.length;
    if (length > maxLength) return undefined; // stop early: the rest of 400 tools need not be printed
    declarations.push(declaration);
  }
  const text = assemble(server, settleAliases(server.members, declarations), apiMethod);
  return text.length > maxLength ? undefined : text;
}

/** One line per tool of a server whose declarations are too long for one file. */
export function serverIndexFile(server: McpServer): string {
  const folder = server.file.replace(/\.d\.ts$/, "");
  const note = `${indent}/** ${server.members.length} tools, one line each. Types and parameters: await API.read("${folder}/<tool>.d.ts") or await MCP.${server.guestName}.$api("<tool>"). */\n`;
  const texts = summaryLengths.map((length) => {
    const lines = server.members.map(
      (member) => `${indent}${propertyKey(member.name)}: McpTool; // ${firstSentence(summaryOf(member), length)}\n`,
    );
    return assemble(server, { lines, aliases: [mcpToolType] }, note + apiMethod);
  });
  return texts.find((text) => text.length <= maxServerFileLength) ?? texts.at(-1) ?? "";
}

/** The declaration of a single tool, complete on its own. */
export function toolFile(server: McpServer, member: McpMember): string {
  const { text, aliases } = toolDeclaration(member);
  return assemble({ ...server, special: new Map() }, { lines: [text], aliases: aliases.map(aliasLine) }, "");
}

const indent = "  ";
const apiMethod = `${indent}/** These declarations, or those of one tool. */\n${indent}$api(toolName?: string, options?: { schema?: boolean }): Promise<McpApiHeader>;\n`;

type Body = { readonly lines: readonly string[]; readonly aliases: readonly string[] };

function assemble(server: McpServer, body: Body, head: string): string {
  const name = `Mcp_${server.guestName}`;
  const types = [mcpToolResultType, ...(head === "" ? [] : [mcpApiHeaderType]), ...body.aliases]
    .map((line) => `${line}\n`)
    .join("");
  return `${types}interface ${name} {\n${head}${body.lines.join("")}${specialMembers(server)}}\n${namespaceBlock(server.guestName, name)}`;
}

/** Gives each type of the file one meaning: equal types are printed once, a tool with a different one gets its own names. */
function settleAliases(members: readonly McpMember[], declarations: readonly ToolDeclaration[]): Body {
  const aliases = new Map<string, string>();
  const lines = declarations.map((declaration, index) => {
    const member = members[index];
    const settled =
      member !== undefined && conflicts(declaration.aliases, aliases) ? renamed(member, aliases) : declaration;
    for (const alias of settled.aliases) aliases.set(alias.name, alias.text);
    return settled.text;
  });
  return { lines, aliases: [...aliases].map(([name, text]) => aliasLine({ name, text })) };
}

function renamed(member: McpMember, taken: ReadonlyMap<string, string>): ToolDeclaration {
  const prefix = typeName(member.name);
  let declaration = toolDeclaration(member, prefix);
  for (let attempt = 2; conflicts(declaration.aliases, taken); attempt++)
    declaration = toolDeclaration(member, `${prefix}${attempt}`);
  return declaration;
}

function conflicts(aliases: readonly TypeAlias[], taken: ReadonlyMap<string, string>): boolean {
  return aliases.some(({ name, text }) => taken.has(name) && taken.get(name) !== text);
}

function aliasLine({ name, text }: TypeAlias): string {
  return `type ${name} = ${text};`;
}

function summaryOf({ tool }: McpMember): string {
  return tool.entry.description || tool.entry.label || "";
}
