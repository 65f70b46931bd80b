import { describe, expect, it } from "vitest";
import {
  codeModeConfigJsonSchema,
  codeModeConfigObjectSchema,
  codeModeConfigSchema,
  codeModeLimits,
  resolveCodeModeConfig,
} from "../src/index.ts";

type Schema = {
  $schema?: string;
  anyOf?: Schema[];
  type?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  items?: Schema;
  required?: string[];
  additionalProperties?: unknown;
  properties?: Record<string, Schema>;
};

const whole = codeModeConfigJsonSchema() as Schema;
const object = whole.anyOf?.find(({ type }) => type === "object") as Schema & { properties: Record<string, Schema> };

describe("codeModeConfigJsonSchema", () => {
  it("CFG-4 is a 2020-12 schema of a boolean or an object", () => {
    expect(whole.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
    expect(whole.anyOf?.map(({ type }) => type).sort()).toEqual(["boolean", "object"]);
  });

  it("CFG-4 describes every field that the parser knows, and no other", () => {
    expect(Object.keys(object.properties).sort()).toEqual(Object.keys(codeModeConfigObjectSchema.shape).sort());
    for (const [name, schema] of Object.entries(object.properties)) expect(schema.description, name).toMatch(/\w{3}/);
  });

  it("CFG-4 refuses unknown keys and requires none, as the parser does", () => {
    expect(object.additionalProperties).toBe(false);
    expect(object.required ?? []).toEqual([]);
  });

  it.each(Object.entries(codeModeLimits))(
    "CFG-4 the description of %s shows its default and its range",
    (name, limit) => {
      expect(object.properties[name]).toMatchObject({ type: "number" });
      expect(object.properties[name]?.description).toContain(
        `Default ${limit.default}, range ${limit.min} – ${limit.max}`,
      );
    },
  );

  it.each(["runtime", "mode", "outputOverflow", "waitScope"])(
    "CFG-4 the parser accepts exactly the values listed for %s",
    (name) => {
      const schema = object.properties[name] as Schema;
      const listed = schema.enum ?? [schema.const];
      for (const value of listed) expect(resolveCodeModeConfig({ [name]: value })).toMatchObject({ [name]: value });
      expect(() => resolveCodeModeConfig({ [name]: "something else" })).toThrow(
        listed.map((value) => JSON.stringify(value)).join(", "),
      );
    },
  );

  it("CFG-4 the languages are listed in the schema", () => {
    expect(object.properties.languages?.items?.enum).toEqual(["javascript", "typescript"]);
  });

  it("CFG-4 parser and published schema come from one source", () => {
    expect(codeModeConfigSchema.safeParse(true).success).toBe(true);
    expect(codeModeConfigSchema.safeParse({ enabled: true }).success).toBe(true);
    expect(codeModeConfigSchema.safeParse({ colour: 1 }).success).toBe(false);
  });
});
