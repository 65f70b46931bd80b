/** Shorter secrets would blank half of every text. */
const minSecretLength = 6;
const minEncodedLength = 8;

/** Every spelling in which a registered secret may appear: as it is, URL-encoded, JSON-escaped and in base64. Longest first. */
export function secretForms(secrets: Iterable<string>): string[] {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (secret.length < minSecretLength) continue;
    for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]) forms.add(form);
    for (const form of base64Forms(secret)) forms.add(form);
  }
  return [...forms].sort((a, b) => b.length - a.length);
}

/**
 * The part of a base64 text that the secret alone decides, for each of the three ways it may be aligned inside a
 * longer one (`user:secret` in a Basic header), in both alphabets.
 */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const forms = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const start = offset === 0 ? 0 : offset + 1;
    const end = (offset + bytes.length) % 3 === 0 ? text.length : text.length - 1;
    return text.slice(start, end);
  });
  const long = forms.filter((form) => form.length >= minEncodedLength);
  return [...long, ...long.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"))];
}
