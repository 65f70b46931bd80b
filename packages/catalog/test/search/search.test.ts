import type { CodeModeTool } from "@code-mode/contract";
import { describe, expect, it } from "vitest";
import { buildCatalog } from "../../src/index.ts";
import { clientTool, coreTool, mcpSpecial, mcpTool, objectSchema, pluginTool } from "../fixture-tools.ts";
import { thrown } from "../thrown.ts";

const tools: CodeModeTool[] = [
  coreTool("read", {
    description: "Read a text file of the workspace.",
    parameters: objectSchema({ path: { type: "string", description: "Where the file is" } }),
  }),
  coreTool("write", { description: "Write a text file." }),
  coreTool("web_fetch", { description: "Load a web page over HTTP." }),
  pluginTool("tickets", "list-tickets", { description: "All open tickets of a customer." }),
  pluginTool("tickets", "list_tickets", { description: "The same under another spelling." }),
  clientTool("select_file", { description: "Ask the user to choose a file." }),
  mcpTool("github", "create_issue", { description: "Open a new issue in a repository." }),
  mcpTool("github", "createIssueLink", { description: "Link two issues." }),
  mcpTool("mail", "send-mail", {
    description: "Send an e-mail message.",
    parameters: { type: "object", properties: { importance: { enum: ["low", "urgent"] } } },
  }),
  mcpSpecial("docs", "resources.read"),
];
const catalog = buildCatalog({ tools });
const names = (query: string, limit = 8): string[] => catalog.search(query, limit).map(({ name }) => name);
const paths = (query: string, limit = 8, only?: "mcp"): string[] =>
  catalog.searchApi(query, limit, only).map(({ path }) => path);

describe("search", () => {
  it("GUEST-3 ranks native tools by need, with plain entries as results", () => {
    expect(catalog.search("read a file", 1)).toEqual([
      { id: "openclaw:core:read", name: "read", description: "Read a text file of the workspace.", source: "openclaw" },
    ]);
  });

  it("GUEST-3 returns at most limit entries", () => {
    expect(names("file", 2)).toHaveLength(2);
    expect(names("file", 0)).toEqual([]);
  });

  it("GUEST-5 leaves MCP tools out of tools.search", () => {
    expect(names("create_issue", 50)).not.toContain("create_issue");
    expect(names("", 50)).not.toContain("create_issue");
  });

  it.each(["web_fetch", "openclaw:core:web_fetch", "WEB_FETCH", "tools.web_fetch"])(
    "puts the tool that is called %s first",
    (query) => {
      expect(names(query)[0]).toBe("web_fetch");
    },
  );

  it("finds words of parameters, enum values and split names", () => {
    expect(paths("urgent")).toEqual(["MCP.mail.sendMail"]);
    expect(paths("issueLink")[0]).toBe("MCP.github.createIssueLink");
  });

  it("finds other forms and everyday synonyms of a word", () => {
    expect(names("fetching pages")[0]).toBe("web_fetch");
    expect(paths("add bug", 1)).toEqual(["MCP.github.createIssue"]);
  });

  it("finds a misspelled name", () => {
    expect(names("tickests")[0]).toMatch(/^list.tickets$/);
  });

  it("prefers the tool whose whole name is asked for", () => {
    expect(paths("create issue")[0]).toBe("MCP.github.createIssue");
  });

  it("finds text that is written without spaces", () => {
    const chinese = buildCatalog({
      tools: [coreTool("a", { description: "发送电子邮件给客户" }), coreTool("b", { description: "删除文件" })],
    });
    expect(chinese.search("电子邮件", 8).map(({ name }) => name)).toEqual(["a"]);
  });

  it("lists the first tools for a blank query and nothing for unknown words", () => {
    expect(names("  ", 2)).toEqual(["read", "web_fetch"]);
    expect(names("zzzzqqqq")).toEqual([]);
  });

  it("answers words that only occur in names, though they are too common elsewhere", () => {
    const common = buildCatalog({
      tools: [coreTool("about_me", { description: "Who is this for" }), coreTool("other")],
    });
    expect(common.search("about me", 8).map(({ name }) => name)).toEqual(["about_me"]);
  });

  it("reads only the start of an endless query", () => {
    expect(names(`${"zzzz ".repeat(500)} read`)).toEqual([]);
    expect(names(`read ${"zzzz ".repeat(200_000)}`)[0]).toBe("read");
  });

  it("refuses a query that is no text", () => {
    expect(thrown(() => catalog.search(undefined as unknown as string, 8)).code).toBe("tool_error");
  });

  it("ranks the same however tools are listed", () => {
    const backward = buildCatalog({ tools: [...tools].reverse() });
    for (const query of ["file", "list tickets", "issue"])
      expect(backward.searchApi(query, 8)).toEqual(catalog.searchApi(query, 8));
  });
});

describe("API.search", () => {
  it("GUEST-9 ranks native and MCP tools together, each with the expression that calls it", () => {
    expect(paths("", 50)).toEqual([
      "tools.read",
      "tools.web_fetch",
      "tools.write",
      'tools.call("openclaw:tickets:list-tickets", input)',
      'tools.call("openclaw:tickets:list_tickets", input)',
      "MCP.docs.resources.read",
      "MCP.github.createIssueLink",
      "MCP.github.createIssue",
      "MCP.mail.sendMail",
      "tools.select_file",
    ]);
  });

  it("GUEST-9 gives plain rows with server, file and a compact input hint", () => {
    expect(catalog.searchApi("create_issue", 1)).toEqual([
      {
        path: "MCP.github.createIssue",
        name: "create_issue",
        description: "Open a new issue in a repository.",
        source: "mcp",
        server: "github",
        file: "mcp/github/createIssue.d.ts",
        input: "{}",
      },
    ]);
    expect(catalog.searchApi("read", 1)).toEqual([
      {
        path: "tools.read",
        name: "read",
        description: "Read a text file of the workspace.",
        source: "openclaw",
        input: "{ path: string }",
      },
    ]);
  });

  it("GUEST-9 names files that API.read serves", () => {
    for (const { file } of catalog.searchApi("", 50, "mcp"))
      expect(catalog.readApi(file ?? "")).toContain("McpToolResult");
  });

  it("GUEST-9 searches MCP tools only for MCP.$search", () => {
    expect(paths("read a text file", 8)).toContain("tools.read");
    expect(paths("read a text file", 8, "mcp")).toEqual(["MCP.docs.resources.read"]);
    expect(paths("", 50, "mcp").every((path) => path.startsWith("MCP."))).toBe(true);
  });

  it("cuts long descriptions", () => {
    const [row] = buildCatalog({ tools: [coreTool("a", { description: "word ".repeat(1_000) })] }).searchApi("word", 1);
    expect(row?.description.length).toBeLessThanOrEqual(300);
  });
});
