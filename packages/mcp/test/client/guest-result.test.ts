import { describe, expect, it } from "vitest";
import { buildGuestResult } from "../../src/client/guest-result.ts";
import { MediaStore } from "../../src/client/media-store.ts";

describe("the guest's result", () => {
  it("MCP-7 blobs of resources and images of prompt messages are placeholders too", () => {
    const media = new MediaStore();

    const read = buildGuestResult(
      {
        contents: [
          { uri: "a:b", blob: "QUJD" },
          { uri: "c:d", text: "t" },
        ],
      },
      media,
    );
    const prompt = buildGuestResult(
      { messages: [{ role: "user", content: { type: "image", mimeType: "image/gif", data: "QUI=" } }] },
      media,
    );

    expect(read.contents).toMatchObject([
      { uri: "a:b", mimeType: "application/octet-stream", bytes: 3 },
      { uri: "c:d", text: "t" },
    ]);
    expect(prompt.messages).toMatchObject([
      { role: "user", content: { type: "image", mimeType: "image/gif", bytes: 2 } },
    ]);
    expect(JSON.stringify([read, prompt])).not.toMatch(/QUJD|QUI=/);
  });

  it("MCP-2 only the top-level _meta is dropped and all other fields stay", () => {
    const item = { type: "text", text: "t", _meta: { a: 1 }, annotations: { priority: 1 } };
    const raw = { content: [item], structuredContent: { _meta: 1 }, extra: true, _meta: {}, resultType: "complete" };

    expect(buildGuestResult(raw, new MediaStore())).toEqual({
      content: [item],
      structuredContent: { _meta: 1 },
      extra: true,
    });
  });

  it("a key named __proto__ stays data and touches no prototype", () => {
    const raw = JSON.parse('{"__proto__": {"polluted": true}, "content": [{"type": "text", "__proto__": {"x": 1}}]}');

    const result = buildGuestResult(raw, new MediaStore());

    expect(Object.hasOwn(result, "__proto__")).toBe(true);
    expect(JSON.stringify(result)).toBe(JSON.stringify(raw));
    expect((result as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe("the media store", () => {
  it("the oldest media make room for new ones, and what exceeds the store is not kept", () => {
    const media = new MediaStore(8);
    const first = media.put("a/b", "QUJD") ?? "";
    const second = media.put("a/b", "REVG") ?? "";

    const third = media.put("a/b", "R0hJ") ?? "";

    expect(media.get(first)).toBeUndefined();
    expect(media.get(second)?.data.toString()).toBe(Buffer.from("DEF").toString());
    expect(media.get(third)).toMatchObject({ mimeType: "a/b" });
    expect(media.put("a/b", "QUJDREVGR0hJ")).toBeUndefined();
  });

  it("an item that is not kept says so and has no handle", () => {
    const result = buildGuestResult(
      { content: [{ type: "audio", mimeType: "audio/wav", data: "QUJD" }] },
      new MediaStore(1),
    );

    expect(result.content).toEqual([
      { type: "audio", mimeType: "audio/wav", bytes: 3, placeholder: "[audio/wav, 3 bytes: too large to keep]" },
    ]);
  });
});
