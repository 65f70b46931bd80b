import { describe, expect, it } from "vitest";
import { Redactor, redact } from "../src/index.ts";
import { maySecret, secretPatterns } from "../src/secret-patterns.ts";

/** Built from parts, so that no scanner takes this file for a leak. */
const fake = (...parts: string[]) => parts.join("");

describe("redaction of texts", () => {
  const tokens: [string, string][] = [
    ["a model provider key", fake("sk-", "ant-", "api03-abcdefghijklmnop")],
    ["a project key", fake("sk-", "proj-", "Abcdefgh12345678")],
    ["a payment key", fake("sk_", "live_", "abcdefgh12345678")],
    ["a code host token", fake("gh", "p_", "a".repeat(36))],
    ["a fine-grained token", fake("github_", "pat_", "a1b2".repeat(8))],
    ["a GitLab token", fake("glpat", "-", "abcdefgh12345678")],
    ["a chat token", fake("xox", "b-", "123456789012-abcdef")],
    ["a cloud access key", fake("AK", "IA", "ABCDEFGHIJKLMNOP")],
    ["a Google key", fake("AI", "za", "a".repeat(35))],
    ["an npm token", fake("npm", "_", "a".repeat(36))],
    ["a JWT", fake("ey", "JhbGciOiJIUzI1NiJ9", ".", "eyJzdWIiOiIxIn0", ".", "c2lnbmF0dXJl")],
    ["a private key", fake("-----BEGIN ", "RSA PRIVATE KEY-----\nabc\n", "-----END RSA PRIVATE KEY-----")],
  ];

  it.each(tokens)("TEL-2 %s is removed wherever it stands", (_name, token) => {
    const text = JSON.stringify(redact({ list: [`before ${token} after`] }));
    expect(text).toContain("before [redacted] after");
  });

  it("the one pass that spares texts without secrets lets through whatever a pattern would change", () => {
    const samples = [
      ...tokens.map(([, token]) => token),
      fake("AS", "IA", "ABCDEFGHIJKLMNOP"),
      fake("rk", "_test_", "abcdefgh12345678"),
      fake("pk", "-", "abcdefgh12345678"),
      fake("ya", "29.", "a".repeat(24)),
      ...["hf_", "dop_v1_", "pypi-", "SG."].map((start) => fake(start, "a1".repeat(14))),
      "bearer abcdefgh12345",
      "BASIC abcdefgh12345",
      "Redis://:pw@h",
      "?SIG=x",
      "&token=x",
      "https://h.example/x?a=1&api_key=QWERTY123456",
      "/home/ada",
      "/Users/ada",
      "D:/Users/ada",
      "C:\\\\Users\\\\ada",
      "C:\\Users\\ada",
      "/root",
      "(/root/x",
    ];
    const changes = (text: string) =>
      secretPatterns.filter(({ pattern, replacement }) => text.replace(pattern, replacement) !== text);
    expect(new Set(samples.flatMap(changes))).toEqual(new Set(secretPatterns));
    for (const sample of samples) {
      expect([sample, maySecret.test(sample), changes(sample).length > 0]).toEqual([sample, true, true]);
      expect(redact(`x ${sample} y`)).not.toContain(` ${sample} `);
    }
    expect(maySecret.test("an ordinary text (of a tool), with 12 words and src/file.ts:3")).toBe(false);
  });

  it("many secrets with characters that expressions know are removed in one pass", () => {
    const secrets = ["a.b*c+d?", "(x|y)[z]", "{1,2}^$end", "back\\slash/", "plain-secret"];
    const redactor = new Redactor({ secrets });
    expect(redactor.text(secrets.join(" "))).toBe(secrets.map(() => "[redacted]").join(" "));
    expect(redactor.text("aXbbcddd xy")).toBe("aXbbcddd xy");
  });

  it("TEL-2 credentials in headers and URLs are removed, the rest stays", () => {
    expect(redact("Authorization: Bearer abcdefgh12345")).toBe("Authorization: Bearer [redacted]");
    expect(redact("postgres://ada:pass@db.example/x")).toBe("postgres://[redacted]@db.example/x");
    expect(redact("https://x.example/a?page=2&api_key=abc123&b=1")).toBe(
      "https://x.example/a?page=2&api_key=[redacted]&b=1",
    );
    expect(redact("mail to ada@x.example")).toBe("mail to ada@x.example");
  });

  it("names of home folders are removed", () => {
    expect(redact("open '/home/ada/x.txt' or /Users/ada/y")).toBe("open '~/x.txt' or ~/y");
    expect(redact("C:\\Users\\ada\\z and /root/a and (/root)")).toBe("~\\z and ~/a and (~)");
    expect(redact("/srv/root/a /homework")).toBe("/srv/root/a /homework");
  });

  it("a registered secret is found as it is, URL-encoded, escaped and in base64 at every alignment", () => {
    const secret = 'p@ss/wo"rd+1234';
    const redactor = new Redactor({ secrets: [secret] });
    expect(redactor.text(`a ${secret} b ${encodeURIComponent(secret)} c ${JSON.stringify(secret)}`)).toBe(
      'a [redacted] b [redacted] c "[redacted]"',
    );
    for (const prefix of ["", "a", "ab", "abc", "user:"]) {
      for (const suffix of ["", "z", "zz"]) {
        const encoded = Buffer.from(prefix + secret + suffix).toString("base64");
        expect(redactor.text(encoded)).toContain("[redacted]");
        expect(redactor.text(Buffer.from(prefix + secret + suffix).toString("base64url"))).toContain("[redacted]");
      }
    }
  });

  it("a secret that contains another is removed whole, and a very short one is ignored", () => {
    const redactor = new Redactor({ secrets: ["abcdef", "abcdefghij", "x"] });
    expect(redactor.text("abcdefghij xx abcdef")).toBe("[redacted] xx [redacted]");
  });

  it("a secret across the cut of a long text is removed", () => {
    const redactor = new Redactor({ secrets: ["topsecret"], maxTextLength: 10 });
    expect(redactor.text(`12345topsecret${"x".repeat(20)}`)).toBe("12345[reda… +25 characters");
  });

  it("a megabyte of anything is done without backtracking", () => {
    for (const unit of ["a", "sk-", "/home/", "eyJ.", "http://a", "-----BEGIN ", "?key=", "Bearer "])
      expect(typeof redact(unit.repeat(1_000_000 / unit.length))).toBe("string");
  });
});

describe("redaction of values", () => {
  it("TEL-2 a text under a telling key is removed whatever it looks like", () => {
    const value = {
      password: "x",
      apiKey: "x",
      "X-Api-Key": "x",
      clientSecret: "x",
      authorization: "x",
      accessToken: "x",
      refresh_token: "x",
      nested: [{ Cookie: "x" }],
    };
    expect(JSON.stringify(redact(value))).not.toContain('"x"');
  });

  it("numbers, page tokens and harmless words stay", () => {
    const value = {
      maxTokens: 5,
      nextPageToken: "p2",
      page_token: "p3",
      secretary: "Ada",
      tokenizer: "bpe",
      password: "",
      ok: true,
      none: null,
    };
    expect(redact(value)).toEqual(value);
  });

  it("keys are cleaned too, and __proto__ stays a plain key", () => {
    const value: unknown = JSON.parse('{"__proto__":{"a":1},"topsecret":1}');
    expect(JSON.stringify(redact(value, { secrets: ["topsecret"] }))).toBe('{"__proto__":{"a":1},"[redacted]":1}');
  });

  it("the input is not changed, cycles and odd values become text", () => {
    const value: Record<string, unknown> = { big: 1n, none: undefined, list: [1] };
    value.self = value;
    const shared = { a: 1 };
    expect(redact({ value, one: shared, two: shared })).toEqual({
      value: { big: "1", none: null, list: [1], self: "[Circular]" },
      one: { a: 1 },
      two: { a: 1 },
    });
    expect(value.self).toBe(value);
  });

  it("a hundred thousand levels do not overflow", () => {
    let value: unknown = 1;
    for (let level = 0; level < 100_000; level++) value = [value];
    expect(JSON.stringify(redact(value))).toContain("[too deep]");
  });
});

it("TEL-2 program source keeps every character but literals of a token's shape", () => {
  const redactor = new Redactor();
  const code = "const API_TOKEN = computeToken(); if (a&key==1) f(b?token=2:3, '/home/ada'); // Bearer of news";
  expect(redactor.source(code)).toBe(code);
  const secret =
    "fetch('https://user:pa55w0rd@h.example/x?a=1&api_key=QWERTY123456'); use('sk-test-AAAABBBBCCCCDDDD1111')";
  expect(redactor.source(secret)).toBe(
    "fetch('https://[redacted]@h.example/x?a=1&api_key=[redacted]'); use('[redacted]')",
  );
});
