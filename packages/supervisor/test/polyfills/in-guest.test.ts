import { describe, expect, it } from "vitest";
import { createPolyfillVm } from "./polyfill-vm.ts";
import { urlTable } from "./url-table.ts";

describe("polyfill bundles inside the engine", () => {
  it("GUEST-7 URLs read inside the VM as in Node", async () => {
    using vm = await createPolyfillVm();
    const describeAll = (type: typeof URL, table: typeof urlTable): unknown =>
      table.map(([url, base]) => {
        const parsed = type.parse(url, base);
        return parsed && [parsed.href, parsed.origin, parsed.host, [...parsed.searchParams]];
      });
    const table = urlTable.map(([url, base]) => (base === undefined ? [url] : [url, base]));
    const guest = vm.run(`(${describeAll.toString()})(URL, ${JSON.stringify(table)})`);
    expect(guest).toEqual(JSON.parse(JSON.stringify(describeAll(URL, urlTable))));
  });

  it("GUEST-7 URL and URLSearchParams look like themselves after the bundler", async () => {
    using vm = await createPolyfillVm();
    expect(
      vm.run(
        "[URL.name, URLSearchParams.name, String(new URLSearchParams({a: 'b c'})), JSON.stringify({u: new URL('http://h')})]",
      ),
    ).toEqual(["URL", "URLSearchParams", "a=b+c", '{"u":"http://h/"}']);
    expect(
      vm.run("(() => { try { new URL('no') } catch (e) { return [e.name, e.code, e instanceof TypeError] } })()"),
    ).toEqual(["TypeError", "ERR_INVALID_URL", true]);
    expect(
      vm.run(
        "(() => { const u = new URL('http://h/?a=1'); u.searchParams.set('b', 'é'); u.port = 81; return u.href })()",
      ),
    ).toBe("http://h:81/?a=1&b=%C3%A9");
  });

  it("GUEST-7 long and short texts encode and decode inside the VM as in Node", async () => {
    using vm = await createPolyfillVm();
    const texts = [
      "",
      "abc",
      "é€😀\ud800x\udc00",
      "\ufeffa",
      "a".repeat(65_536),
      `a${"😀".repeat(70_000)}`,
      `${"é".repeat(32_767)}x${"€".repeat(50_000)}`,
    ];
    for (const text of texts) {
      const bytes = [...new TextEncoder().encode(text)];
      const shape = `((text) => { const b = new TextEncoder().encode(text); return [b.length, b.reduce((h, x) => (h * 31 + x) % 1000003, 7), new TextDecoder().decode(b)] })(${JSON.stringify(text)})`;
      expect(vm.run(shape)).toEqual([
        bytes.length,
        bytes.reduce((hash, byte) => (hash * 31 + byte) % 1_000_003, 7),
        new TextDecoder().decode(new Uint8Array(bytes)),
      ]);
    }
  });

  it("GUEST-7 invalid bytes decode inside the VM as in Node, also where long input is cut", async () => {
    using vm = await createPolyfillVm();
    const tails = [
      [0xff],
      [0xc0, 0x80],
      [0xe2, 0x82],
      [0xed, 0xa0, 0x80],
      [0xf0, 0x9f, 0x98, 0x80, 0x80, 0x80, 0x80, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
      [0xf0, 0x80, 0x80, 0x80],
      [0xe0, 0x80, 0xaf],
      [0x80, 0x80, 0x80, 0x80, 0x80],
    ];
    const decode = (type: typeof TextDecoder, fill: number, tail: number[]): unknown => {
      const bytes = new Uint8Array(fill + tail.length + 1).fill(97);
      bytes.set(tail, fill);
      return new type().decode(bytes).slice(Math.max(0, fill - 2));
    };
    for (const tail of tails) {
      for (const fill of [0, 65_530, 65_533, 65_534, 65_535, 65_536]) {
        expect([fill, tail, vm.run(`(${decode.toString()})(TextDecoder, ${fill}, ${JSON.stringify(tail)})`)]).toEqual([
          fill,
          tail,
          decode(TextDecoder, fill, tail),
        ]);
      }
    }
    const fatal =
      "(() => { try { new TextDecoder('utf-8', {fatal: true}).decode(new Uint8Array([255])) } catch (e) { return e.name } })()";
    expect(vm.run(fatal)).toBe("TypeError");
    const streamed =
      "(() => { const d = new TextDecoder(); return [226, 130, 172].map((b) => d.decode(new Uint8Array([b]), {stream: true})) })()";
    expect(vm.run(streamed)).toEqual(["", "", "€"]);
  });

  it("GUEST-7 structuredClone copies and refuses inside the VM", async () => {
    using vm = await createPolyfillVm();
    const program = `(() => {
      const source = { date: new Date(5), map: new Map([[1, new Set([2])]]), re: /a/g, bytes: new Uint8Array([1, 2]), big: 3n, error: new RangeError("r"), half: new Float16Array([0.5]) };
      source.self = source;
      const copy = structuredClone(source);
      return [copy !== source, copy.self === copy, copy.date.getTime(), [...copy.map.get(1)], String(copy.re), [...copy.bytes], String(copy.big), copy.error instanceof RangeError, copy.error.message, copy.half[0]];
    })()`;
    expect(vm.run(program)).toEqual([true, true, 5, [2], "/a/g", [1, 2], "3", true, "r", 0.5]);
    const names = [
      "() => 1",
      "Symbol()",
      "Promise.resolve()",
      "[].values()",
      "(function* () {})()",
      "(async function* () {})()",
      "new WeakMap()",
    ].map((text) => `(() => { try { structuredClone({ a: ${text} }) } catch (e) { return e.name } })()`);
    expect(vm.run(`[${names.join()}]`)).toEqual(names.map(() => "DataCloneError"));
  });

  it("GUEST-7 a value nested a hundred thousand levels deep copies within the small stack", async () => {
    using vm = await createPolyfillVm();
    expect(
      vm.run(
        "(() => { let deep = 1; for (let i = 0; i < 100000; i++) deep = { deep }; structuredClone(deep); return 'copied' })()",
      ),
    ).toBe("copied");
  });

  it("GUEST-7 prototypes that a program patches later do not change results", async () => {
    using vm = await createPolyfillVm();
    const broken = `
      for (const type of [String, Array, Map, Set, RegExp, Number, Function, Uint8Array, Object.getPrototypeOf(Uint8Array), Date]) {
        for (const key of Object.getOwnPropertyNames(type.prototype)) {
          if (key !== "constructor" && typeof Object.getOwnPropertyDescriptor(type.prototype, key).value === "function") type.prototype[key] = () => { throw new Error("patched " + key) };
        }
      }
      globalThis.encodeURIComponent = globalThis.atob = globalThis.btoa = globalThis.escape = () => "patched";`;
    const text = 'new URL("../b c?d=é#f", "http://u:p@EXÄMPLE.com:81/x/y/").href';
    const result = vm.run(`(() => { const map = new Map([[1, 2]]); ${broken}
      const decoded = new TextDecoder().decode(new TextEncoder().encode("é€"));
      const copy = structuredClone({ date: new Date(7), map, bytes: new Uint8Array([9]) });
      return { href: ${text}, decoded, size: copy.map.size, first: copy.bytes[0], params: new URLSearchParams("a=1&b=%20").toString() };
    })()`);
    expect(result).toEqual({
      href: "http://u:p@xn--exmple-cua.com:81/x/b%20c?d=%C3%A9#f",
      decoded: "é€",
      size: 1,
      first: 9,
      params: "a=1&b=+",
    });
  });
});
