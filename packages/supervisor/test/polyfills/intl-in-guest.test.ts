import { afterAll, describe, expect, it } from "vitest";
import { createTestPool, doneValue, finalValue, openCell, packedOf } from "../support.ts";
import { createPolyfillVm } from "./polyfill-vm.ts";

const pool = createTestPool();
afterAll(() => pool.dispose());

describe("Intl inside the guest", () => {
  it("GUEST-7 programs find Intl and the locale methods of built-in values", async () => {
    expect(await finalValue(pool, 'return [(1234567.891).toLocaleString("en-US"), typeof Intl]')).toEqual([
      "1,234,567.891",
      "object",
    ]);
    const date = "new Date(Date.UTC(2024, 2, 5, 15, 4, 7))";
    const program = `return [
      (1234.5).toLocaleString(), (0.256).toLocaleString("en-US", { style: "percent" }), 12345678901234567890n.toLocaleString(),
      (1234.5).toLocaleString("en-US", { style: "currency", currency: "USD" }),
      ${date}.toLocaleString(), ${date}.toLocaleDateString("en-US", { dateStyle: "long" }), ${date}.toLocaleTimeString(), new Date(NaN).toLocaleString(),
      ["b", "B", "á", "a"].sort((x, y) => x.localeCompare(y)), [1234.5, ${date}, null, "x"].toLocaleString(),
      new Intl.ListFormat("en").format(["a", "b", "c"]), new Intl.PluralRules("en", { type: "ordinal" }).select(22),
      new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(-1, "day"), Intl.DateTimeFormat().resolvedOptions().timeZone,
    ]`;
    expect(await finalValue(pool, program)).toEqual([
      "1,234.5",
      "26%",
      "12,345,678,901,234,567,890",
      "$1,234.50",
      "3/5/2024, 3:04:07 PM",
      "March 5, 2024",
      "3:04:07 PM",
      "Invalid Date",
      ["a", "á", "b", "B"],
      "1,234.5,3/5/2024, 3:04:07 PM,,x",
      "a, b, and c",
      "two",
      "yesterday",
      "UTC",
    ]);
  });

  it("GUEST-7 Intl and its members have the shape of the standard's", async () => {
    const program = `const members = (target) => Object.getOwnPropertyNames(target).sort().join();
      const formatter = new Intl.NumberFormat();
      return [String(Intl), String(formatter), Object.keys(Intl), Intl.NumberFormat.name, Intl.NumberFormat.length, formatter instanceof Intl.NumberFormat,
        Intl.NumberFormat() instanceof Intl.NumberFormat, members(Intl.Collator.prototype), members(Intl.ListFormat.prototype), Object.keys(Intl.ListFormat.prototype),
        Number.prototype.toLocaleString.name, Number.prototype.toLocaleString.length, String.prototype.localeCompare.length, Object.keys(Number.prototype),
        [3, 1, 2].map(formatter.format), Intl.getCanonicalLocales("EN-us"), typeof Intl.Segmenter, formatter.constructor === Intl.NumberFormat]`;
    expect(await finalValue(pool, program)).toEqual([
      "[object Intl]",
      "[object Intl.NumberFormat]",
      [],
      "NumberFormat",
      0,
      true,
      true,
      "compare,constructor,resolvedOptions",
      "constructor,format,formatToParts,resolvedOptions",
      [],
      "toLocaleString",
      0,
      1,
      [],
      ["3", "1", "2"],
      ["en-US"],
      "undefined",
      true,
    ]);
    const wrong = "const kind = (use) => { try { use(); return 'none' } catch (error) { return error.name } };";
    expect(
      await finalValue(
        pool,
        `${wrong} return [kind(() => Number.prototype.toLocaleString.call("1")), kind(() => Date.prototype.toLocaleString.call({})), kind(() => String.prototype.localeCompare.call(null, "")), kind(() => Intl.ListFormat()), kind(() => new Date(0).toLocaleDateString("en-US", { timeStyle: "short" }))]`,
      ),
    ).toEqual(["TypeError", "TypeError", "TypeError", "TypeError", "TypeError"]);
  });

  it("GUEST-7 patches of Array.prototype before the first use do no harm and see nothing", async () => {
    const program = `const seen = [];
      for (const key of Object.getOwnPropertyNames(Array.prototype)) {
        if (key !== "constructor" && key !== "length" && key !== "toLocaleString") Array.prototype[key] = function () { seen[seen.length] = key };
      }
      Array.prototype[Symbol.iterator] = () => { throw new Error("iterated") };
      Object.defineProperty(Array.prototype, 0, { set() { seen[1] = "index" }, get() { return "leak" }, configurable: true });
      const result = { number: (1234567.891).toLocaleString("en-US", { style: "currency", currency: "EUR" }), date: new Date(0).toLocaleDateString("en-US"), order: "a".localeCompare("b"), past: new Intl.RelativeTimeFormat("en-US").format(-3, "day") };
      delete Array.prototype[0];
      return { ...result, seen: seen.length }`;
    expect(await finalValue(pool, program)).toEqual({
      number: "€1,234,567.89",
      date: "1/1/1970",
      order: -1,
      past: "3 days ago",
      seen: 0,
    });
  });

  it("GUEST-7 patches of every prototype after the first use do no harm", async () => {
    using vm = await createPolyfillVm();
    const result =
      vm.run(`(() => { const number = new Intl.NumberFormat("en-US", { notation: "compact" }), date = new Intl.DateTimeFormat("en-US"), collator = new Intl.Collator("en-US", { numeric: true });
      for (const type of [String, Array, RegExp, Number, BigInt, Function, Date]) {
        for (const key of Object.getOwnPropertyNames(type.prototype)) {
          if (key !== "constructor" && typeof Object.getOwnPropertyDescriptor(type.prototype, key).value === "function") type.prototype[key] = () => { throw new Error("patched " + key) };
        }
      }
      return [number.format(1234567), date.format(0), collator.compare("a10", "a9"), new Intl.PluralRules("en-US").select(1)];
    })()`);
    expect(result).toEqual(["1.2M", "1/1/1970", 1, "one"]);
  });

  it("WAIT-3 a formatter made before a cell is parked works after it is resumed", async () => {
    const cell = await openCell(pool);
    await cell.start(
      'const formatter = new Intl.NumberFormat("en-US"); const first = formatter.format(1e6); await yield_control(); return [first, formatter.format(2e6), (3e6).toLocaleString(), typeof Intl]',
    );
    const packed = packedOf(await cell.park());
    cell.release();
    const again = await openCell(pool);
    const reply = await again.resume(packed, [], true);
    again.release();
    expect(doneValue(reply)).toEqual(["1,000,000", "2,000,000", "3,000,000", "object"]);
  });
});
