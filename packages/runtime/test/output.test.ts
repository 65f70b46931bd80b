import { afterAll, describe, expect, it } from "vitest";
import { createCodeMode } from "../src/index.ts";
import { basicTools, completedValue, createRuntime, failureOf } from "./support.ts";

const codeMode = createRuntime();
afterAll(() => codeMode[Symbol.asyncDispose]());
const value = async (code: string) => completedValue(await codeMode.exec({ code }));

const budget = 1024;
const small = (outputOverflow: "fail" | "truncate") =>
  createCodeMode({ tools: basicTools(), config: { maxOutputBytes: budget, outputOverflow } });

describe("output", () => {
  it("OUT-1 items come in call order and the value apart", async () => {
    expect(await codeMode.exec({ code: "text('a'); json({ b: 1 }); text({ c: 2 }); return 'v'" })).toMatchObject({
      value: "v",
      output: [
        { type: "text", text: "a" },
        { type: "json", value: { b: 1 } },
        { type: "text", text: '{"c":2}' },
      ],
    });
  });

  it("OUT-1 json serializes at once: later changes do not show", async () => {
    expect(await codeMode.exec({ code: "const o = { n: 1 }; json(o); o.n = 2; return null" })).toMatchObject({
      output: [{ type: "json", value: { n: 1 } }],
    });
  });

  it.each([
    ["value", (bytes: number) => `return "x".repeat(${bytes - 2})`],
    ["output", (bytes: number) => `text("x".repeat(${bytes - '{"type":"text","text":""}'.length - 4})); return null`],
  ])("OUT-2 %s of exactly the budget fits, one byte more does not", async (_kind, program) => {
    await using code = small("fail");
    expect((await code.exec({ code: program(budget) })).status).toBe("completed");
    expect((await code.exec({ code: program(budget - 1) })).status).toBe("completed");
    expect(failureOf(await code.exec({ code: program(budget + 1) })).code).toBe("output_limit_exceeded");
  });

  it("OUT-2 the failed result keeps what fitted, says what is missing, and refers to the value", async () => {
    await using code = small("fail");
    const result = failureOf(
      await code.exec({ code: "text('kept'); return Array.from({ length: 500 }, (_, i) => ({ i, name: 'row' }))" }),
    );
    expect(result).toMatchObject({
      output: [{ type: "text", text: "kept" }],
      truncated: true,
      reference: { count: 500 },
    });
    expect(
      completedValue(await code.exec({ code: `return (await results.load("${result.reference?.id}"))[499].i` })),
    ).toBe(499);
  });

  it("OUT-2 when output alone is too much, a value is kept and no value is not", async () => {
    await using code = small("fail");
    const without = failureOf(await code.exec({ code: "text('x'.repeat(5000))" }));
    expect(without).toMatchObject({ code: "output_limit_exceeded", truncated: true });
    expect(without.reference).toBeUndefined();
    expect(without.error).toContain("Write less");
    const held = failureOf(await code.exec({ code: "text('x'.repeat(5000)); return { total: 3 }" }));
    expect(
      completedValue(await code.exec({ code: `return (await results.load("${held.reference?.id}")).total` })),
    ).toBe(3);
  });

  it("OUT-2 a value that a truncated result shows whole is not kept a second time", async () => {
    await using code = small("truncate");
    const result = await code.exec({ code: "text('x'.repeat(5000)); return { total: 3 }" });
    expect(result).toMatchObject({ status: "completed", value: { total: 3 }, truncated: true });
    expect(result).not.toHaveProperty("reference");
  });

  it("OUT-2 a cut never splits a character and bytes add up", async () => {
    await using code = small("truncate");
    const result = await code.exec({ code: "text('🦞'.repeat(1000)); return 1" });
    if (result.status !== "completed") throw new Error(JSON.stringify(result));
    const [item] = result.output ?? [];
    if (item?.type !== "text") throw new Error("no text");
    expect(item.text).toMatch(/^(🦞)+$/u);
    const kept = Buffer.byteLength(JSON.stringify(item)) + 1;
    const total = Buffer.byteLength(JSON.stringify({ type: "text", text: "🦞".repeat(1000) })) + 1;
    expect(kept).toBeLessThanOrEqual(budget);
    expect(kept).toBeGreaterThan(budget - 8);
    expect(result).toMatchObject({ truncated: true, omittedBytes: total - kept });
  });

  it("OUT-3 what JSON cannot hold becomes plain data", async () => {
    expect(
      await value(
        "return { u: undefined, n: NaN, i: -Infinity, a: [undefined, NaN], d: new Date(0), bad: new Date(NaN), big: 12n, m: new Map([['a', 1]]), m2: new Map([[1, 2]]), s: new Set([1, 1]), e: new TypeError('x'), t: new Uint8Array([1, 2]), f() {}, y: Symbol('q') }",
      ),
    ).toEqual({
      n: null,
      i: null,
      a: [null, null],
      d: "1970-01-01T00:00:00.000Z",
      bad: null,
      big: "12",
      m: { a: 1 },
      m2: [[1, 2]],
      s: [1],
      e: { name: "TypeError", message: "x" },
      t: [1, 2],
      f: "[Function: f]",
      y: "Symbol(q)",
    });
    expect(await value("const a = { n: 1 }; a.self = a; const b = { x: a.n }; return [a, b, b]")).toEqual([
      { n: 1, self: "[Circular]" },
      { x: 1 },
      { x: 1 },
    ]);
    expect(await value("return [new Uint8Array(2000), new ArrayBuffer(8)]")).toEqual([
      "[Uint8Array: 2000 bytes, binary not supported]",
      "[ArrayBuffer: 8 bytes, binary not supported]",
    ]);
    expect(await value('return JSON.parse(\'{"__proto__": {"polluted": 1}}\')')).toEqual(
      JSON.parse('{"__proto__": {"polluted": 1}}'),
    );
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it("OUT-3 a value prints the same whatever its size and depth", async () => {
    const sizes = [0, 1, 62, 63, 64, 65, 66, 500];
    for (const size of sizes) {
      const list = `Array.from({ length: ${size} }, (_, at) => at % 3 ? "x" : undefined)`;
      const printed = Array.from({ length: size }, (_, at) => (at % 3 ? "x" : null));
      expect(await value(`return ${list}`), `${size} members`).toEqual(printed);
      expect(await value(`return { list: ${list}, s: new Set([1]) }`), `${size} members`).toEqual({
        list: printed,
        s: [1],
      });
    }
    for (const length of [1023, 1024, 1025])
      expect(await value(`return ["x".repeat(${length}), , null]`)).toEqual(["x".repeat(length), null, null]);
    for (const depth of [1, 3, 4, 5, 6]) {
      const open = '{"in":'.repeat(depth);
      const close = "}".repeat(depth);
      expect(await value(`return ${open}[new Map([["k", 1]]), 1]${close}`)).toEqual(
        JSON.parse(`${open}[{"k":1},1]${close}`),
      );
    }
  });

  it("OUT-3 patched prototypes and globals never reach the bridge", async () => {
    const patch =
      "JSON.stringify = () => 'evil'; JSON.parse = () => 'evil'; Promise.prototype.then = () => { throw 1 }; Array.prototype.push = () => 0; Map.prototype.get = () => 1; Object.prototype.toJSON = () => 'evil'; Object.prototype.then = (r) => r('evil'); Array.prototype.toJSON = () => 'evil'; Object.defineProperty(Array.prototype, 0, { set() { throw 1 }, configurable: true });";
    expect(await value(`${patch} const r = await tools.echo({ a: [1] }); text('t'); return { r, list: [2] }`)).toEqual({
      r: { a: [1] },
      list: [2],
    });
  });

  it("OUT-4 binary never crosses: neither as a value, nor as output, nor as a tool input", async () => {
    const result = await codeMode.exec({
      code: "const bytes = new Uint8Array(4096); text(bytes); json({ bytes }); return [(await tools.echo({ bytes })).bytes, bytes]",
    });
    const placeholder = "[Uint8Array: 4096 bytes, binary not supported]";
    expect(result).toMatchObject({
      status: "completed",
      value: [placeholder, placeholder],
      output: [{ text: JSON.stringify(placeholder) }, { value: { bytes: placeholder } }],
    });
  });
});
