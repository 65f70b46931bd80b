/** What stands where a secret was. */
export const redactedMark = "[redacted]";

/** A shape of credentials, and what replaces it. Every expression is linear: texts may be megabytes of hostile data. */
export type SecretPattern = { readonly pattern: RegExp; readonly replacement: string };

/** Literals that nobody writes by chance: they are removed from program source too, whose every other character stays. */
export const literalPatterns: readonly SecretPattern[] = [
  {
    pattern: /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g,
    replacement: redactedMark,
  },
  // model providers, code hosts, chat, cloud, payment, mail, registries
  { pattern: /\b(?:sk|rk|pk)[-_](?:ant-|proj-|live_|test_|or-)?[A-Za-z0-9_-]{16,}/g, replacement: redactedMark },
  {
    pattern: /\b(?:gh[oprsu]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,})/g,
    replacement: redactedMark,
  },
  { pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g, replacement: redactedMark },
  { pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, replacement: redactedMark },
  { pattern: /\bAIza[A-Za-z0-9_-]{30,}/g, replacement: redactedMark },
  { pattern: /\bya29\.[A-Za-z0-9_-]{20,}/g, replacement: redactedMark },
  { pattern: /\b(?:npm_|hf_|dop_v1_|pypi-|SG\.)[A-Za-z0-9_.-]{20,}/g, replacement: redactedMark },
  { pattern: /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g, replacement: redactedMark },
  // user:password@ of a URL
  { pattern: /\b([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/?#@"'`]{1,256}@/gi, replacement: `$1${redactedMark}@` },
  // its query parameters that carry keys; in a program the same characters without an address are an expression
  {
    pattern:
      /(:\/\/[^\s"'`<>]{1,400}?[?&](?:access_token|api[-_]?key|apikey|client_secret|password|secret|sig|signature|token)=)[^&#\s"'`]+/gi,
    replacement: `$1${redactedMark}`,
  },
];

/** All shapes of credentials that give themselves away. */
export const secretPatterns: readonly SecretPattern[] = [
  ...literalPatterns,
  { pattern: /\b(Bearer|Basic) [A-Za-z0-9._~+/=-]{8,}/gi, replacement: `$1 ${redactedMark}` },
  {
    pattern:
      /([?&](?:access_token|api[-_]?key|apikey|auth|client_secret|key|password|secret|sig|signature|token)=)[^&#\s"']+/gi,
    replacement: `$1${redactedMark}`,
  },
  // the name in a home folder is personal
  { pattern: /(?:\/home\/|\/Users\/|\b[A-Za-z]:[\\/]{1,2}Users[\\/]{1,2})[^\s/\\:"'<>|]{1,64}/g, replacement: "~" },
  { pattern: /(^|[\s"'`(=:,[])\/root(?=[/\s"'`),:;\]]|$)/g, replacement: "$1~" },
];

/** True for every text that a pattern may change, found in one pass; nearly all texts hold none of this. */
export const maySecret =
  /-----BEGIN |[srp]k[-_]|gh[oprsu]_|github_pat_|glpat-|xox[abeoprs]-|A[KS]IA|AIza|ya29\.|npm_|hf_|dop_v1_|pypi-|SG\.|eyJ|bearer |basic |:\/\/|[?&]|\/home\/|[\\/]users|\/root/i;

const secretKey =
  /(?:^|[-_.])(?:authorization|cookie|set-cookie|password|passwd|passphrase|secret|api[-_]?key|private[-_]?key|credentials?|token)$/i;
const secretCamelKey = /[a-z0-9](?:Password|Passphrase|Secret|ApiKey|PrivateKey|AccessKey|Credentials?|Token)$/;
const harmlessKey = /(?:page|cursor|continuation|next|sync)[-_]?token$/i;

/** Whether a text under this key is a credential whatever it looks like. */
export function isSecretKey(key: string): boolean {
  return (secretKey.test(key) || secretCamelKey.test(key)) && !harmlessKey.test(key);
}
