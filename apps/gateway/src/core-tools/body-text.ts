import { endOfCharacters } from "./output-window.ts";

const textType =
  /^(text\/|application\/(json|javascript|ecmascript|xml|yaml|x-yaml|toml|graphql|x-www-form-urlencoded|x-ndjson)\b|[^;]*\+(json|xml|yaml)\b|image\/svg)/i;
/** Text holds no NUL; the start of a file tells. */
const probedBytes = 8_192;

/** The text of a body, or nothing when it is not text. */
export function bodyText(bytes: Buffer, contentType: string | undefined, truncated: boolean): string | undefined {
  const type = contentType?.trim() ?? "";
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(type)?.[1] ?? "utf-8";
  const wide = /^utf-16/i.test(charset);
  if (type !== "" && !textType.test(type)) return undefined;
  if (!wide && bytes.subarray(0, probedBytes).includes(0)) return undefined;
  const decoder = decoderOf(charset);
  const whole = truncated && decoder.encoding === "utf-8" ? bytes.subarray(0, endOfCharacters(bytes)) : bytes;
  return decoder.decode(whole);
}

function decoderOf(charset: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder(); // a name that nobody knows is most often a misspelled UTF-8
  }
}
