import { availableParallelism } from "node:os";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  CodeModeError,
  type CodeModeLimitName,
  codeModeLimits,
  type Limit,
  resolveCodeModeConfig,
} from "../src/index.ts";

const limits = Object.entries(codeModeLimits) as [CodeModeLimitName, Limit][];

function refusal(input: unknown, options?: Parameters<typeof resolveCodeModeConfig>[1]): CodeModeError {
  try {
    resolveCodeModeConfig(input, options);
  } catch (error) {
    if (CodeModeError.is(error)) return error;
    throw error;
  }
  throw new Error("the configuration was accepted");
}

describe("activation", () => {
  it.each([
    ["nothing", undefined, false],
    ["false", false, false],
    ["true", true, true],
    ["an empty object", {}, false],
    ["an object that sets only limits", { timeoutMs: 5000, languages: ["javascript"] }, false],
    ["enabled: false", { enabled: false, timeoutMs: 5000 }, false],
    ["enabled: undefined", { enabled: undefined }, false],
    ["enabled: true", { enabled: true }, true],
  ])("CFG-1 %s decides alone whether code mode is on", (_name, input, enabled) => {
    expect(resolveCodeModeConfig(input).enabled).toBe(enabled);
  });

  it("CFG-1 true means the same as an object with enabled: true", () => {
    expect(resolveCodeModeConfig(true)).toEqual(resolveCodeModeConfig({ enabled: true }));
  });
});

describe("defaults and ranges", () => {
  const expected: Record<CodeModeLimitName, readonly [standard: number, min: number, max: number]> = {
    timeoutMs: [10_000, 100, 60_000],
    memoryLimitBytes: [67_108_864, 1_048_576, 1_073_741_824],
    maxOutputBytes: [65_536, 1024, 10_485_760],
    maxSnapshotBytes: [10_485_760, 1024, 268_435_456],
    maxPendingToolCalls: [16, 1, 128],
    snapshotTtlSeconds: [900, 1, 86_400],
    searchDefaultLimit: [8, 1, 50],
    maxSearchLimit: [50, 1, 50],
    maxSuspendedRuns: [64, 1, 100_000],
    maxSourceBytes: [262_144, 1024, 1_048_576],
    maxConcurrentCells: [Math.min(64, Math.max(2, availableParallelism())), 1, 64],
  };

  it("CFG-2 every limit of the contract is in the table, and no other", () => {
    expect(limits.map(([name]) => name).sort()).toEqual(Object.keys(expected).sort());
  });

  it.each(Object.entries(expected))("CFG-2 %s has the default of the contract", (name, [standard]) => {
    expect(resolveCodeModeConfig(true)[name as CodeModeLimitName]).toBe(standard);
  });

  it("CFG-2 the fields that are no numbers have the defaults of the contract", () => {
    expect(resolveCodeModeConfig(true)).toMatchObject({
      runtime: "quickjs-wasi",
      mode: "only",
      languages: ["javascript", "typescript"],
      outputOverflow: "fail",
      waitScope: "run",
    });
  });

  it.each(Object.entries(expected))(
    "CFG-2 %s keeps both ends of its range and clamps beyond them",
    (name, [, min, max]) => {
      const read = (value: number): number => resolveCodeModeConfig({ [name]: value })[name as CodeModeLimitName];
      expect([read(min), read(min + 1)]).toEqual([min, min + 1]);
      expect([read(max - 1), read(max)]).toEqual([max - 1, max]);
      expect([read(min - 1), read(max + 1)]).toEqual([min, max]);
    },
  );

  it.each([
    [[], []],
    [["javascript"], ["javascript"]],
    [["typescript"], ["typescript"]],
    [
      ["typescript", "javascript"],
      ["javascript", "typescript"],
    ],
    [["typescript", "typescript"], ["typescript"]],
  ])("CFG-2 languages %j are a set in a fixed order", (given, kept) => {
    expect(resolveCodeModeConfig({ languages: given }).languages).toEqual(kept);
  });

  it("CFG-2 a default for searches never exceeds the most they may return", () => {
    expect(resolveCodeModeConfig({ maxSearchLimit: 3 }).searchDefaultLimit).toBe(3);
    expect(resolveCodeModeConfig({ maxSearchLimit: 8 }).searchDefaultLimit).toBe(8);
    expect(resolveCodeModeConfig({ maxSearchLimit: 9 }).searchDefaultLimit).toBe(8);
    expect(resolveCodeModeConfig({ maxSearchLimit: 4, searchDefaultLimit: 5 }).searchDefaultLimit).toBe(4);
  });

  it("what is handed out is frozen, its lists too", () => {
    const config = resolveCodeModeConfig(true);
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.languages)).toBe(true);
  });
});

describe("numbers", () => {
  it("CFG-3 a fraction is cut to an integer before it is clamped", () => {
    expect(resolveCodeModeConfig({ timeoutMs: 100.9 }).timeoutMs).toBe(100);
    expect(resolveCodeModeConfig({ timeoutMs: 60_000.5 }).timeoutMs).toBe(60_000);
    expect(Object.is(resolveCodeModeConfig({ maxSearchLimit: -0.5 }).maxSearchLimit, 1)).toBe(true);
  });

  it("CFG-3 the maximum of a search is clamped before its default", () => {
    const { maxSearchLimit, searchDefaultLimit } = resolveCodeModeConfig({
      maxSearchLimit: 1000,
      searchDefaultLimit: 60,
    });
    expect([maxSearchLimit, searchDefaultLimit]).toEqual([50, 50]);
  });

  it("CFG-3 any finite number becomes an integer inside the range", () => {
    const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(fc.constantFrom(...limits), finite, ([name, limit], value) => {
        const result = resolveCodeModeConfig({ [name]: value })[name];
        expect(Number.isInteger(result)).toBe(true);
        expect(result).toBeGreaterThanOrEqual(limit.min);
        expect(result).toBeLessThanOrEqual(limit.max);
      }),
      { seed: 31, numRuns: 300 },
    );
  });

  it.each(limits.map(([name]) => name))(
    "CFG-3 %s refuses what is not a finite number and says what it found",
    (name) => {
      for (const value of [
        Number.NaN,
        Number.POSITIVE_INFINITY,
        Number.NEGATIVE_INFINITY,
        null,
        "10",
        true,
        [1],
        { ms: 1 },
      ]) {
        const { code, message } = refusal({ [name]: value });
        expect(code).toBe("invalid_input");
        expect(message).toContain(`tools.codeMode.${name}: found `);
        expect(message).toContain("expected a finite number");
      }
      expect(refusal({ [name]: Number.NaN }).message).toContain("found NaN");
      expect(refusal({ [name]: "10" }).message).toContain('found "10"');
      expect(refusal({ [name]: null }).message).toContain("found null");
    },
  );
});

describe("wrong values", () => {
  it.each([
    [null, "null"],
    [1, "1"],
    ["on", '"on"'],
    [["javascript"], "a list"],
  ])("CFG-3 %j in place of the whole setting is refused", (input, found) => {
    const { code, message } = refusal(input);
    expect(code).toBe("invalid_input");
    expect(message).toBe(`tools.codeMode: found ${found}, expected true, false or an object of code mode options.`);
  });

  it.each([
    [{ enabled: "true" }, "tools.codeMode.enabled", '"true"', "boolean"],
    [{ enabled: null }, "tools.codeMode.enabled", "null", "boolean"],
    [{ enabled: 1 }, "tools.codeMode.enabled", "1", "boolean"],
    [{ runtime: "v8" }, "tools.codeMode.runtime", '"v8"', '"quickjs-wasi"'],
    [{ mode: null }, "tools.codeMode.mode", "null", '"only"'],
    [{ languages: ["javascript", "python"] }, "tools.codeMode.languages.1", '"python"', '"javascript", "typescript"'],
    [{ languages: "javascript" }, "tools.codeMode.languages", '"javascript"', "expected a"],
    [{ languages: [null] }, "tools.codeMode.languages.0", "null", '"javascript", "typescript"'],
    [{ outputOverflow: "cut" }, "tools.codeMode.outputOverflow", '"cut"', '"fail", "truncate"'],
    [{ waitScope: false }, "tools.codeMode.waitScope", "false", '"run", "session"'],
  ])("CFG-3 %j is refused with path, finding and what is accepted", (input, path, found, accepted) => {
    const { code, message } = refusal(input);
    expect(code).toBe("invalid_input");
    expect(message.startsWith(`${path}: found ${found}, `)).toBe(true);
    expect(message).toContain(accepted);
  });

  it("CFG-3 a message reads as English where a list is expected", () => {
    expect(refusal({ languages: "javascript" }).message).toMatch(/expected an? (array|list)/);
    expect(refusal({ languages: "javascript" }).message).not.toContain("a array");
  });

  it("CFG-3 a wrong value in a disabled object is refused too", () => {
    expect(refusal({ enabled: false, timeoutMs: "1s" }).message).toContain("tools.codeMode.timeoutMs");
    expect(refusal({ timeoutMs: null }).message).toContain("tools.codeMode.timeoutMs");
  });

  it("CFG-3 every wrong field is named, not only the first", () => {
    const { message } = refusal({ timeoutMs: "1", maxOutputBytes: null, mode: "all" });
    expect(message.split("\n").map((line) => line.split(":")[0])).toEqual(
      expect.arrayContaining(["tools.codeMode.timeoutMs", "tools.codeMode.maxOutputBytes", "tools.codeMode.mode"]),
    );
  });

  it("CFG-3 the path says where the setting stands in the user's file", () => {
    expect(refusal({ mode: 1 }, { path: "tools.codeMode in a.json5" }).message).toContain(
      "tools.codeMode in a.json5.mode",
    );
  });

  it("CFG-3 a function is described without its source text", () => {
    const secret = (): string => "text of the host program";
    expect(refusal({ timeoutMs: secret }).message).not.toContain("text of the host program");
  });
});

describe("unknown keys", () => {
  it.each([
    ["timeout", "timeoutMs"],
    ["TimeoutMS", "timeoutMs"],
    ["timeotuMs", "timeoutMs"],
    ["maxOutput", "maxOutputBytes"],
    ["memoryLimit", "memoryLimitBytes"],
    ["language", "languages"],
    ["enable", "enabled"],
    ["maxConcurentCells", "maxConcurrentCells"],
  ])("CFG-3 %s is refused and %s is offered", (wrong, right) => {
    const { code, message } = refusal({ [wrong]: 1 });
    expect(code).toBe("invalid_input");
    expect(message).toContain(`tools.codeMode.${wrong}: unknown key. Did you mean ${right}`);
    expect(message).toContain("Known keys: enabled, runtime, mode, languages");
  });

  it("CFG-3 a key near to nothing gets the known keys and no guess", () => {
    const { message } = refusal({ colour: "red" });
    expect(message).toContain("tools.codeMode.colour: unknown key. Known keys:");
  });

  it("CFG-3 a __proto__ key from a file is an unknown key and sets nothing", () => {
    const input: unknown = JSON.parse('{"__proto__": {"enabled": true, "timeoutMs": 100}}');
    expect(refusal(input).message).toContain("tools.codeMode.__proto__: unknown key");
  });
});

describe("override of an agent", () => {
  const base = { enabled: true, timeoutMs: 5000, maxOutputBytes: 2048, languages: ["typescript"] };

  it("CFG-5 no override leaves the base as it is", () => {
    expect(resolveCodeModeConfig(base, { override: undefined })).toEqual(resolveCodeModeConfig(base));
  });

  it("CFG-5 a boolean sets only enabled", () => {
    expect(resolveCodeModeConfig(base, { override: false })).toEqual({
      ...resolveCodeModeConfig(base),
      enabled: false,
    });
    expect(resolveCodeModeConfig({ ...base, enabled: false }, { override: true })).toEqual(resolveCodeModeConfig(base));
  });

  it("CFG-5 fields merge one by one, lists as a whole", () => {
    const merged = resolveCodeModeConfig(base, {
      override: { timeoutMs: 700, languages: ["javascript"], waitScope: "session" },
    });
    expect(merged).toEqual({
      ...resolveCodeModeConfig(base),
      timeoutMs: 700,
      languages: ["javascript"],
      waitScope: "session",
    });
  });

  it("CFG-5 an object without enabled keeps what the base says", () => {
    expect(resolveCodeModeConfig(base, { override: { timeoutMs: 700 } }).enabled).toBe(true);
    expect(resolveCodeModeConfig({ timeoutMs: 5000 }, { override: { timeoutMs: 700 } }).enabled).toBe(false);
  });

  it("CFG-5 a field that is there but undefined overrides nothing", () => {
    const override = { enabled: undefined, timeoutMs: undefined, languages: undefined, outputOverflow: undefined };
    expect(resolveCodeModeConfig({ ...base, outputOverflow: "truncate" }, { override })).toEqual(
      resolveCodeModeConfig({ ...base, outputOverflow: "truncate" }),
    );
  });

  it("CFG-5 clamps come after the merge", () => {
    expect(
      resolveCodeModeConfig({ searchDefaultLimit: 40 }, { override: { maxSearchLimit: 10 } }).searchDefaultLimit,
    ).toBe(10);
    expect(
      resolveCodeModeConfig({ maxSearchLimit: 10 }, { override: { searchDefaultLimit: 40 } }).searchDefaultLimit,
    ).toBe(10);
    expect(
      resolveCodeModeConfig({ maxSearchLimit: 5 }, { override: { maxSearchLimit: 50, searchDefaultLimit: 40 } })
        .searchDefaultLimit,
    ).toBe(40);
    expect(resolveCodeModeConfig({ timeoutMs: 5000 }, { override: { timeoutMs: 1 } }).timeoutMs).toBe(100);
  });

  it.each(["maxSuspendedRuns", "maxConcurrentCells"])(
    "CFG-5 %s bounds the process and cannot be overridden",
    (name) => {
      const { code, message } = refusal(base, { override: { [name]: 4 }, overridePath: "agents.coder.tools.codeMode" });
      expect(code).toBe("invalid_input");
      expect(message).toContain(`agents.coder.tools.codeMode.${name} cannot be set per agent`);
      expect(message).toContain(`tools.codeMode.${name}`);
      expect(resolveCodeModeConfig({ ...base, [name]: 4 })).toMatchObject({ [name]: 4 });
    },
  );

  it.each(limits.filter(([, limit]) => limit.global !== true).map(([name]) => name))(
    "CFG-5 %s can be overridden",
    (name) => {
      const { min } = codeModeLimits[name];
      expect(resolveCodeModeConfig(base, { override: { [name]: min + 1 } })[name]).toBe(min + 1);
    },
  );

  it("CFG-3 CFG-5 a wrong override is refused under its own path", () => {
    const at = { overridePath: "agents.coder.tools.codeMode" };
    expect(refusal(base, { override: null, ...at }).message).toContain("agents.coder.tools.codeMode: found null");
    expect(refusal(base, { override: { timeOut: 1 }, ...at }).message).toContain(
      "agents.coder.tools.codeMode.timeOut: unknown key. Did you mean timeoutMs",
    );
    expect(refusal({ mode: 1 }, { override: {}, ...at }).message).toContain("tools.codeMode.mode");
  });
});

it("SCOPE-1 code mode is opt-in: nothing but an explicit yes switches it on", () => {
  for (const off of [undefined, false, {}, { timeoutMs: 500 }, { enabled: false }])
    expect(resolveCodeModeConfig(off).enabled).toBe(false);
  for (const on of [true, { enabled: true }]) expect(resolveCodeModeConfig(on).enabled).toBe(true);
});
