import type { CellEvent, NestedOutcome } from "@code-mode/contract";
import { describe, expect, it } from "vitest";
import { createCodeMode } from "../src/index.ts";
import { completedValue, createRuntime, failureOf } from "./support.ts";

const noop = (): unknown => undefined;

describe("hosts without types", () => {
  it.each([
    [undefined, /tools: found undefined/],
    [[{}], /tools\[0\]\.name: found undefined/],
    [[null], /tools\[0\]: found null/],
    [[{ name: 5, description: "", execute: noop }], /tools\[0\]\.name: found 5/],
    [[{ name: "a", description: "" }], /tools\[0\]\.execute: found undefined/],
    [[{ name: "a", description: "", execute: noop, origin: { kind: "moon" } }], /origin\.kind: found "moon"/],
  ])("CFG-3 tools %j are refused by path", (tools, message) => {
    expect(() => createCodeMode({ tools: tools as never })).toThrow(message);
  });

  it("CFG-3 an unknown option is refused and the nearest is offered", () => {
    expect(() => createCodeMode({ tools: [], polcy: {} } as never)).toThrow(/unknown option polcy.*policy/);
  });

  it("EXEC-1 null options and an input whose getter throws are no host failure", async () => {
    await using codeMode = createRuntime();
    expect(completedValue(await codeMode.exec({ code: "return 1" }, null as never))).toBe(1);
    const input = Object.defineProperty({}, "code", {
      enumerable: true,
      get: () => {
        throw new Error("trap");
      },
    });
    expect(failureOf(await codeMode.exec(input)).code).toBe("invalid_input");
  });

  it.each([undefined, null, {}, { ok: true }, { ok: false }])(
    "NEST-4 an executor that answers %j is a failed call",
    async (answer) => {
      await using codeMode = createRuntime({ executor: { execute: async () => answer as never } });
      const code = "try { await tools.echo({}) } catch (e) { return e.code }";
      expect(completedValue(await codeMode.exec({ code }))).toBe("internal_error");
    },
  );

  it("NEST-4 a reply that is no JSON is a failed call", async () => {
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    const outcome = { ok: true, value: cyclic, executedInput: {} } as unknown as NestedOutcome;
    await using codeMode = createRuntime({ executor: { execute: async () => outcome } });
    expect(completedValue(await codeMode.exec({ code: "return tools.echo({}).catch((e) => e.code)" }))).toBe(
      "tool_error",
    );
  });

  it("EXEC-8 an asynchronous observer that rejects changes nothing", async () => {
    const onCellEvent = (async (_event: CellEvent) => {
      throw new Error("sink");
    }) as never;
    await using codeMode = createRuntime({ telemetry: { onCellEvent } });
    expect(completedValue(await codeMode.exec({ code: "return 1" }))).toBe(1);
  });
});

describe("hooks of the outer call", () => {
  const runWith = async (answer: unknown) => {
    await using codeMode = createRuntime({
      hooks: { before: async () => answer as never, after: async () => undefined },
    });
    return codeMode.exec({ code: "return 1" });
  };

  it.each([null, 5, {}, { block: "yes" }])("EXEC-6 the answer %j blocks: a hook fails closed", async (answer) => {
    expect(failureOf(await runWith(answer))).toMatchObject({
      code: "invalid_input",
      error: expect.stringMatching(/blocked by a hook/),
    });
  });

  it("OUT-2 a long reason is cut", async () => {
    const failed = failureOf(await runWith({ block: true, reason: "x".repeat(200_000) }));
    expect(failed.error.length).toBeLessThan(2200);
  });

  it("EXEC-6 a hook that edits its copy of the input does not change the program", async () => {
    const before = async ({ input }: { input: unknown }) => {
      (input as { code: string }).code = "return 'evil'";
      return undefined;
    };
    await using codeMode = createRuntime({ hooks: { before, after: async () => undefined } });
    expect(completedValue(await codeMode.exec({ code: "return 'good'" }))).toBe("good");
  });

  it("ERR-1 a caller that gives up does not wait for a hook", async () => {
    const asked = Promise.withResolvers<void>();
    const before = () => {
      asked.resolve();
      return new Promise<never>(() => undefined);
    };
    await using codeMode = createRuntime({ hooks: { before, after: async () => undefined } });
    const controller = new AbortController();
    const result = codeMode.exec({ code: "return 1" }, { signal: controller.signal });
    await asked.promise;
    controller.abort();
    expect(failureOf(await result).code).toBe("aborted");
  });
});

describe("programs against the host", () => {
  it("ERR-1 a throw in a timer callback is the program's own error, with its place", async () => {
    await using codeMode = createRuntime();
    const code = "setTimeout(() => {\n  throw new Error('tick');\n}, 1);\nawait new Promise((r) => setTimeout(r, 50));";
    expect(failureOf(await codeMode.exec({ code }))).toMatchObject({
      code: "guest_error",
      error: expect.stringMatching(/Error: tick/),
      position: { line: 2 },
    });
  });

  it("SEC-1 a flood of searches is refused beyond 256 and leaves the event loop free", async () => {
    const many = Array.from({ length: 2000 }, (_, n) => ({
      name: `tool_${n}`,
      description: `does thing ${n}`,
      execute: () => n,
    }));
    await using codeMode = createRuntime({ extra: many });
    await codeMode.exec({ code: "await tools.search('warm up')" });
    const code =
      "const all = await Promise.allSettled(Array.from({ length: 2000 }, (_, n) => tools.search('thing ' + n))); return [all.filter((r) => r.status === 'fulfilled').length, all.at(-1).reason.code]";
    expect(completedValue(await codeMode.exec({ code }))).toEqual([256, "too_many_pending_calls"]);
  });

  it.each(["^(a+)+$", "^(a|a)*$", "(x+x+)+y"])(
    "SEC-1 the pattern %s of a tool schema cannot be made to explode",
    async (pattern) => {
      const parameters = { type: "object", properties: { n: { type: "string", pattern } } };
      await using codeMode = createRuntime({
        extra: [{ name: "pat", description: "p", parameters, execute: () => "ran" }],
      });
      expect(
        completedValue(await codeMode.exec({ code: "return await tools.pat({ n: 'a'.repeat(40) + 'x'.repeat(40) })" })),
      ).toBe("ran");
    },
  );

  it("NEST-4 harmless patterns still count", async () => {
    const parameters = { type: "object", properties: { n: { type: "string", pattern: "^[a-z]{2,3}(-[0-9]+)?$" } } };
    await using codeMode = createRuntime({
      extra: [{ name: "pat", description: "p", parameters, execute: () => "ran" }],
    });
    const code = "return [await tools.pat({ n: 'ab-1' }), await tools.pat({ n: 'AB' }).catch((e) => e.code)]";
    expect(completedValue(await codeMode.exec({ code }))).toEqual(["ran", "invalid_tool_input"]);
  });
});
