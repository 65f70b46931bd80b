import { describe, expect, it } from "vitest";
import { CodeModeError, type ExecInputRules, parseExecInput, parseWaitInput } from "../src/index.ts";

const rules: ExecInputRules = { languages: ["javascript", "typescript"], maxSourceBytes: 1024 };

function refusal(parse: () => unknown): CodeModeError {
  try {
    parse();
  } catch (error) {
    if (CodeModeError.is(error)) return error;
    throw error;
  }
  throw new Error("the input was accepted");
}

const exec = (input: unknown, own: Partial<ExecInputRules> = {}): CodeModeError =>
  refusal(() => parseExecInput(input, { ...rules, ...own }));

describe("exec input", () => {
  it("EXEC-1 code alone is a program in JavaScript that is not restart-safe", () => {
    expect(parseExecInput({ code: "return 1" }, rules)).toEqual({
      code: "return 1",
      language: "javascript",
      restartSafe: false,
    });
  });

  it("EXEC-1 the source is kept as it came, spaces and line ends too", () => {
    const code = "\n  return 1;\r\n";
    expect(parseExecInput({ code }, rules).code).toBe(code);
  });

  it("EXEC-1 command is an alias of code", () => {
    expect(parseExecInput({ command: "return 2" }, rules).code).toBe("return 2");
  });

  it("EXEC-1 both fields are accepted when they are identical", () => {
    expect(parseExecInput({ code: "return 3", command: "return 3" }, rules).code).toBe("return 3");
  });

  it.each([
    { code: "return 1", command: "return 2" },
    { code: "return 1", command: "return 1 " },
  ])("EXEC-1 %j differs and is refused", (input) => {
    const { code, message } = exec(input);
    expect(code).toBe("invalid_input");
    expect(message).toContain("exec.code and exec.command differ");
  });

  it.each(["", "   ", "\n\t", "\u00a0\ufeff"])("EXEC-1 a blank field %j counts as absent", (blank) => {
    expect(parseExecInput({ code: blank, command: "return 4" }, rules).code).toBe("return 4");
    expect(parseExecInput({ code: "return 5", command: blank }, rules).code).toBe("return 5");
    expect(exec({ code: blank }).message).toContain("the program is empty");
    expect(exec({ code: blank, command: blank }).message).toContain("the program is empty");
  });

  it("EXEC-1 a program is required", () => {
    const { code, message } = exec({});
    expect(code).toBe("invalid_input");
    expect(message).toContain('{"code": "return 1"}');
  });

  it.each([null, undefined, "return 1", 1, true, ["return 1"]])(
    "EXEC-1 %j in place of the input object is refused",
    (input) => {
      expect(exec(input).code).toBe("invalid_input");
      expect(exec(input).message).toContain("expected an object");
    },
  );

  it.each([
    [{ code: 1 }, "exec.code: found 1"],
    [{ code: null }, "exec.code: found null"],
    [{ code: ["return 1"] }, "exec.code: found a list"],
    [{ command: {} }, "exec.command: found an object"],
    [{ code: "return 1", command: null }, "exec.command: found null"],
    [{ code: "return 1", restartSafe: "true" }, 'exec.restartSafe: found "true"'],
    [{ code: "return 1", restartSafe: null }, "exec.restartSafe: found null"],
  ])("EXEC-1 the wrong type in %j is named", (input, text) => {
    expect(exec(input).code).toBe("invalid_input");
    expect(exec(input).message).toContain(text);
  });

  it.each([
    ["Code", "code"],
    ["lang", "language"],
    ["restart_safe", "restartSafe"],
    ["comand", "command"],
  ])("SUR-4 the unknown key %s is refused and %s is offered", (wrong, right) => {
    const { code, message } = exec({ code: "return 1", [wrong]: "x" });
    expect(code).toBe("invalid_input");
    expect(message).toContain(`exec.${wrong}: unknown key. Did you mean ${right}`);
    expect(message).toContain("Known keys: code, command, language, restartSafe.");
  });

  it("SUR-4 a key as long as a program does not flood the message", () => {
    expect(exec({ [`k${"x".repeat(100_000)}`]: 1 }).message.length).toBeLessThan(300);
  });

  it("EXEC-1 restartSafe is taken over when it is true or false", () => {
    expect(parseExecInput({ code: "return 1", restartSafe: true }, rules).restartSafe).toBe(true);
    expect(parseExecInput({ code: "return 1", restartSafe: false }, rules).restartSafe).toBe(false);
  });
});

describe("language", () => {
  it.each(["javascript", "typescript"] as const)("EXEC-2 %s is taken when it is enabled", (language) => {
    expect(parseExecInput({ code: "return 1", language }, rules).language).toBe(language);
    expect(parseExecInput({ code: "return 1", language }, { ...rules, languages: [language] }).language).toBe(language);
  });

  it("EXEC-2 the short names js and ts mean the languages", () => {
    expect(parseExecInput({ code: "return 1", language: "js" }, rules).language).toBe("javascript");
    expect(parseExecInput({ code: "return 1", language: "ts" }, rules).language).toBe("typescript");
    expect(exec({ code: "return 1", language: "ts" }, { languages: ["javascript"] }).message).toContain(
      "typescript is disabled",
    );
  });

  it("EXEC-2 a disabled language is refused and the enabled ones are named", () => {
    const { code, message } = exec({ code: "return 1", language: "typescript" }, { languages: ["javascript"] });
    expect(code).toBe("invalid_input");
    expect(message).toBe("exec.language: typescript is disabled; enabled languages: javascript.");
  });

  it("EXEC-2 the default is JavaScript even where only TypeScript is enabled", () => {
    expect(exec({ code: "return 1" }, { languages: ["typescript"] }).message).toBe(
      "exec.language: javascript is disabled; enabled languages: typescript.",
    );
  });

  it("EXEC-2 with no language enabled every program is refused", () => {
    expect(exec({ code: "return 1" }, { languages: [] }).message).toContain("enabled languages: none");
    expect(exec({ code: "return 1", language: "typescript" }, { languages: [] }).code).toBe("invalid_input");
  });

  it.each(["python", "bash", "JavaScript", "", "constructor", "__proto__", "toString"])(
    "EXEC-2 %j is no language and the enabled ones are named",
    (language) => {
      const { code, message } = exec({ code: "return 1", language });
      expect(code).toBe("invalid_input");
      expect(message).toContain(JSON.stringify(language));
      expect(message).toContain("enabled languages: javascript, typescript");
    },
  );

  it.each([null, 1, ["typescript"]])("EXEC-2 %j in place of a language name is refused", (language) => {
    expect(exec({ code: "return 1", language }).message).toContain("exec.language: found ");
  });
});

describe("source", () => {
  it("CFG-2 ERR-2 a program of exactly maxSourceBytes is accepted, one byte more is not", () => {
    expect(parseExecInput({ code: "x".repeat(1024) }, rules).code).toHaveLength(1024);
    const error = exec({ code: "x".repeat(1025) });
    expect(error.code).toBe("invalid_input");
    expect(error.message).toContain("1025 bytes, at most 1024 are allowed");
    expect(error.details).toEqual({ bytes: 1025, limit: 1024 });
  });

  it("ERR-2 the size of a program is counted in UTF-8 bytes", () => {
    expect(parseExecInput({ code: "é".repeat(512) }, rules).code).toHaveLength(512);
    expect(exec({ code: `${"é".repeat(512)}x` }).details).toEqual({ bytes: 1025, limit: 1024 });
    expect(exec({ code: "🙂".repeat(257) }).details).toEqual({ bytes: 1028, limit: 1024 });
  });

  it("ERR-2 a NUL character is refused wherever it stands", () => {
    expect(exec({ code: "return 1\0" }).code).toBe("invalid_input");
    expect(exec({ code: "return '\0'" }).message).toContain("NUL");
  });
});

describe("wait input", () => {
  it("WAIT-1 takes a runId", () => {
    expect(parseWaitInput({ runId: "abc" })).toEqual({ runId: "abc" });
  });

  it.each([{}, { runId: "" }, { runId: 1 }, { runId: null }, { runId: ["abc"] }])(
    "WAIT-1 %j is refused and says what a runId is",
    (input) => {
      const { code, message } = refusal(() => parseWaitInput(input));
      expect(code).toBe("invalid_input");
      expect(message).toContain("expected the runId of a waiting result");
    },
  );

  it.each([null, undefined, "abc", 1, ["abc"]])("WAIT-1 %j in place of the input object is refused", (input) => {
    expect(refusal(() => parseWaitInput(input)).message).toContain('expected an object such as {"runId": "…"}');
  });

  it("SUR-4 WAIT-1 an unknown key is refused and the nearest offered", () => {
    const { code, message } = refusal(() => parseWaitInput({ run_id: "abc" }));
    expect(code).toBe("invalid_input");
    expect(message).toContain("wait.run_id: unknown key. Did you mean runId?");
  });
});
