import type { CodeModeTool, JsonSchema } from "@code-mode/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TypeWriter } from "../src/declarations/type-writer.ts";
import { createGuestCatalog } from "../src/guest.ts";
import { buildCatalog, compactInputHint } from "../src/index.ts";

const settings = { seed: 20_261_201, numRuns: 150 };
const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

const awkward = [
  "then",
  "toJSON",
  "constructor",
  "__proto__",
  "$api",
  "resources",
  "search",
  "call",
  "foo_bar",
  "fooBar",
  "foo-bar",
  "foo.bar",
  "fooBar_2",
  "1",
  "01",
  "",
  "a:b",
  "a%3Ab",
  "🎉",
  "搜索",
  "index",
  "delete",
];
const name = fc.oneof(
  fc.constantFrom(...awkward),
  fc.string({ maxLength: 6 }),
  fc.string({ unit: "binary", maxLength: 4 }),
);
const origin: fc.Arbitrary<NonNullable<CodeModeTool["origin"]>> = fc.oneof(
  fc.constant({ kind: "core" as const }),
  fc.record({
    kind: fc.constant("plugin" as const),
    pluginId: fc.constantFrom("tickets", "browser", "p0"),
    bundled: fc.constant(true),
  }),
  fc.record({ kind: fc.constant("plugin" as const), pluginId: fc.constantFrom("extra", "x-y") }),
  fc.record({ kind: fc.constant("mcp" as const), server: name }),
  fc.constant({ kind: "client" as const }),
);
const tool: fc.Arbitrary<CodeModeTool> = fc.record({
  name,
  description: fc.string({ maxLength: 20 }),
  origin,
  execute: fc.constant(() => null),
});
const ownerOf = ({ origin: from }: CodeModeTool): string =>
  from?.kind === "mcp" ? from.server : from?.kind === "plugin" ? from.pluginId : (from?.kind ?? "core");
const toolSet = fc
  .uniqueArray(tool, {
    maxLength: 25,
    selector: (each) =>
      JSON.stringify([
        each.origin?.kind === "mcp" || each.origin?.kind === "client" ? each.origin.kind : "openclaw",
        ownerOf(each),
        each.name,
      ]),
  })
  // Tool Search controls of core are left out on purpose
  .map((tools) => tools.filter(({ name: toolName }) => !toolName.startsWith("tool_")));

describe("any catalog", () => {
  it("CAT-2 has unique ids and is the same however the tools are listed", () => {
    fc.assert(
      fc.property(
        toolSet.chain((tools) => fc.tuple(fc.constant(tools), fc.shuffledSubarray(tools, { minLength: tools.length }))),
        ([tools, shuffled]) => {
          const catalog = buildCatalog({ tools });
          expect(new Set(catalog.tools.map(({ entry }) => entry.id)).size).toBe(tools.length);
          expect(buildCatalog({ tools: shuffled }).guestText).toBe(catalog.guestText);
        },
      ),
      settings,
    );
  });

  it("CAT-2 keeps the id and entry of a tool whatever other tools come and go", () => {
    fc.assert(
      fc.property(
        toolSet.chain((tools) => fc.tuple(fc.constant(tools), fc.subarray(tools))),
        ([tools, some]) => {
          const all = buildCatalog({ tools });
          for (const { entry } of buildCatalog({ tools: some }).tools) expect(all.get(entry.id)?.entry).toEqual(entry);
        },
      ),
      settings,
    );
  });

  it("GUEST-9 finds every tool by its id, and the same rows in any order of listing", async () => {
    await fc.assert(
      fc.asyncProperty(
        toolSet.chain((tools) => fc.tuple(fc.constant(tools), fc.shuffledSubarray(tools, { minLength: tools.length }))),
        async ([tools, shuffled]) => {
          const [catalog, other] = [buildCatalog({ tools }), buildCatalog({ tools: shuffled })];
          for (const { entry } of catalog.tools) {
            const found = await catalog.searchApiSoon(entry.id, 50);
            expect(found.some(({ name: known, source }) => known === entry.name && source === entry.source)).toBe(true);
            expect(await other.searchApiSoon(entry.id, 50)).toEqual(found);
          }
        },
      ),
      { ...settings, numRuns: 40 },
    );
  });

  it("reaches every tool: native ones by id, MCP ones by a member that is an identifier", () => {
    fc.assert(
      fc.property(toolSet, (tools) => {
        const catalog = buildCatalog({ tools });
        const guest = createGuestCatalog(catalog.guestText);
        const members = guest
          .serverNames()
          .flatMap((server) =>
            guest.mcpMembers(server).map((member) => ({ server, member, id: guest.mcpMember(server, member) })),
          );
        for (const { server, member } of members) expect(identifier.test(server) && identifier.test(member)).toBe(true);
        const reached = members.map(({ id }) => id);
        const mcp = catalog.tools.filter(({ entry }) => entry.source === "mcp").map(({ entry }) => entry.id);
        expect([...reached].sort()).toEqual([...mcp].sort());
        for (const { entry } of catalog.tools)
          if (entry.source !== "mcp") expect(catalog.resolveNative(entry.id).entry.id).toBe(entry.id);
      }),
      settings,
    );
  });

  it("GUEST-4 installs no convenience name twice, none that hides another name, none for MCP tools", () => {
    fc.assert(
      fc.property(toolSet, (tools) => {
        const catalog = buildCatalog({ tools });
        const guest = createGuestCatalog(catalog.guestText);
        for (const safe of guest.toolNames()) {
          expect(safe).toMatch(/^[A-Za-z_$][\w$]*$/);
          expect(safe in {} || ["search", "describe", "call", "then", "toJSON"].includes(safe)).toBe(false);
          expect(catalog.get(guest.toolId(safe) ?? "")?.entry.source).not.toBe("mcp");
        }
        const ids = guest.toolNames().map((safe) => guest.toolId(safe));
        expect(new Set(ids).size).toBe(ids.length);
      }),
      settings,
    );
  });

  it("MCP-1 lets no member hide the original name of another tool", () => {
    fc.assert(
      fc.property(toolSet, (tools) => {
        const catalog = buildCatalog({ tools });
        const guest = createGuestCatalog(catalog.guestText);
        for (const { entry } of catalog.tools) {
          if (entry.source !== "mcp") continue;
          const server =
            guest
              .serverNames()
              .find((each) => guest.mcpMembers(each).some((member) => guest.mcpMember(each, member) === entry.id)) ??
            "";
          const found = guest.mcpMember(server, entry.name);
          if (found !== undefined) expect(found).toBe(entry.id);
        }
      }),
      settings,
    );
  });

  it("serves a declaration for every MCP member under the path that the search names", () => {
    fc.assert(
      fc.property(toolSet, (tools) => {
        const catalog = buildCatalog({ tools });
        for (const { file, path } of catalog.searchApi("", 50, "mcp")) {
          expect(catalog.readApi(file ?? "")).toContain("Promise<McpToolResult>");
          expect(path.split(".")).toHaveLength(3);
        }
      }),
      settings,
    );
  });
});

const schema = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthIdentifier: "schema" },
    fc.jsonValue({ maxDepth: 1 }),
    fc.record(
      {
        type: fc.oneof(
          fc.constantFrom("string", "object", "array", "null", "odd"),
          fc.array(fc.constantFrom("string", "null")),
        ),
        properties: fc.dictionary(fc.oneof(fc.constantFrom("__proto__", "a", "x-y"), fc.string()), tie("schema"), {
          maxKeys: 3,
        }),
        required: fc.oneof(fc.array(fc.string()), fc.jsonValue({ maxDepth: 0 })),
        items: fc.oneof(tie("schema"), fc.array(tie("schema"), { maxLength: 2 })),
        prefixItems: fc.array(tie("schema"), { maxLength: 2 }),
        anyOf: fc.array(tie("schema"), { maxLength: 2 }),
        allOf: fc.array(tie("schema"), { maxLength: 2 }),
        enum: fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 4 }),
        additionalProperties: tie("schema"),
        $ref: fc.constantFrom("#", "#/properties/a", "#/$defs/a", "#/$defs/missing", "http://x", "#%", "#anchor"),
        $defs: fc.dictionary(fc.constantFrom("a", "b"), tie("schema"), { maxKeys: 2 }),
        nullable: fc.boolean(),
        description: fc.string(),
      },
      { requiredKeys: [] },
    ),
  ),
})).schema;

describe("any schema", () => {
  it("prints as a type and as a hint without throwing, in bounded size", () => {
    fc.assert(
      fc.property(schema, (any) => {
        const writer = new TypeWriter(any, { nestedDocs: true });
        expect(writer.writeRoot().length).toBeGreaterThan(0);
        expect(compactInputHint(any as JsonSchema).length).toBeLessThan(200);
        expect(compactInputHint(any as JsonSchema)).not.toContain("\n");
      }),
      { ...settings, numRuns: 300 },
    );
  });
});
