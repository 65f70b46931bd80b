import { describe, expect, it } from "vitest";
import { prepared, refused, valueIn } from "./evaluate.ts";

describe("EXEC-14 syntax errors", () => {
  it.each([
    [
      'const x = 1;\nlet { output } = await tools.echo({ cmd: "true");\nreturn output;',
      2,
      48,
      /`\{` at 2:35 is not closed/,
    ],
    ["let a = 1;\nif (a) {\n  return 1;\n", 4, 1, /end of input: the `\{` at 2:8 is never closed/],
    ["return 1;\n}", 2, 1, /nothing is open/],
    ["foo({ a: [1, 2 }", 1, 16, /the `\[` at 1:10/],
    ["const t = `abc", 1, 12, /template literal at 1:11 is never closed/],
    ["let s = 'abc", 1, 9, /Unterminated string/],
    ["let a;\nlet a;", 2, 5, /'a' has already been declared/],
    ["let x = \u201ca\u201d", 1, 9, /straight quotes/],
    ["const a = 1;\\nreturn a", 1, 14, /real line breaks/],
    ["const f = x =&gt; x", 1, 14, /HTML entities/],
    ["items.map(x => { await foo(x) })", 1, 24, /`await` is only allowed in async functions/],
    ["function f() {\n  const r = await g();\n}", 2, 19, /`await` is only allowed in async functions/],
    ["\ufeffconst a = ;", 1, 11, /unexpected `;`/],
    ["```js\nconst a = ;\n```", 2, 11, /unexpected `;`/],
    ["/* \u{1f99e}\u{1f99e} */ const a = ;", 1, 22, /unexpected `;`/],
    ["const a = 1;\r\nconst b = ;", 2, 11, /unexpected `;`/],
    ["let yes = a ? b", 1, 16, /unexpected end of input/],
    ["}); evil(); (async () => {", 1, 1, /nothing is open/],
    ["super.x", 1, 1, /super/],
  ])("EXEC-14 give line and column of the submitted source: %j", (code, line, column, message) => {
    const refusal = refused(code);
    expect(refusal).toMatchObject({ line, column });
    expect(refusal.message).toMatch(/^SyntaxError: /);
    expect(refusal.message).toMatch(message);
  });

  it("EXEC-14 valid JavaScript that looks odd is not refused", async () => {
    expect(await valueIn("let i = 4, g = 2;\nreturn i++ / 2 / g")).toBe(1);
    expect(await valueIn("let a = 1\nlet b = a\n/1/g\nreturn b;var g = 1")).toBeNaN;
  });
});

describe("EXEC-13 text in another language", () => {
  it.each([
    "ls -la /tmp && pwd",
    "ls",
    "echo hello world",
    "git status",
    "cat notes.txt | grep todo",
    "npm install left-pad",
    "cd /tmp\nls -la",
    "$ ls -la",
    "./build.sh --fast",
    "for f in *.txt; do echo $f; done",
    "if [ -f x ]; then\n  echo y\nfi",
    "# list files\nfind . -name '*.ts'",
    "FOO=1 node server.js",
    "#!/bin/bash\nls",
    "```bash\nls -la\n```",
  ])("EXEC-13 a shell command is named, with the way to run it: %j", (code) => {
    const { message } = refused(code);
    expect(message).toMatch(/looks like a shell command/);
    expect(message).toMatch(/tools\.call\(tool\.id, \{ command: /);
  });

  it.each([
    ["rows = [1, 2, 3]\nfor x in rows:\n    print(x)", 2],
    ["import json\nprint(json.dumps({}))", 1],
    ["# comment\nfrom os import path\nprint(path)", 2],
    ["def main(x: int) -> int:\n    return x", 1],
    ['x = f"{y}"\nprint(x)', 1],
    ["if x == None:\n  pass", 1],
    ["class A(Base):\n    pass", 1],
    ["try:\n  run()\nexcept ValueError as e:\n  pass", 1],
    ["```python\nprint(1)\n```", 2],
    ["#!/usr/bin/env python3\nprint(1)", 1],
  ])("EXEC-13 Python is named, with the JavaScript idiom: %j", (code, line) => {
    const refusal = refused(code);
    expect(refusal.message).toMatch(/looks like Python/);
    expect(refusal.message).toMatch(/for \(const row of rows\).*tools\.call\(id, input\)/);
    expect(refusal.line).toBe(line);
  });

  it.each([
    ["let find = 10, name = 3;\nreturn find -name;", 7],
    ["const ls = 5, la = 2;\nls -la", 3],
    ["const date = { now: 1 };\ndate.now", 1],
    ["const git = (x) => x;\ngit('status')", "status"],
    ["return 'ls -la && pwd'", "ls -la && pwd"],
    ["const py = `def f(x):\n  return x`;\nreturn py.length", 20],
  ])("EXEC-13 valid JavaScript that looks like a command runs: %j", async (code, value) => {
    expect(await valueIn(code)).toEqual(value);
  });

  it("EXEC-13 Python in a string does not make a broken program Python", () => {
    expect(refused("const a = `\ndef f(x):\n  return x\n`;\nconst b = 1;\nlet c = ;").message).toMatch(/^SyntaxError/);
  });

  it("EXEC-13 is decided by parsing: a bare name that a namespace may have runs", () => {
    expect(prepared("git").implicitValue).toBe(true);
  });
});
