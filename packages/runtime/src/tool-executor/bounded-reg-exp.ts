/** Texts longer than this are not matched: even a harmless-looking expression may take quadratic time. */
const maxMatchedLength = 4096;

/** A group that repeats inside and is repeated itself, or repeated alternatives: the shapes of exponential backtracking. */
const nestedRepeat = /\((?:[^()\\]|\\.)*(?:[*+}]|\|)(?:[^()\\]|\\.)*\)\s*(?:[*+]|\{\d+,)/;

/**
 * Expressions of a trusted schema, run on texts that a hostile program chose: one with catastrophic backtracking would
 * stop the process. Shapes that can explode, and very long texts, pass unchecked; the tool sees the value anyway.
 */
export const boundedRegExp = Object.assign(
  (pattern: string, flags: string) => {
    const expression = new RegExp(pattern, flags);
    const mayExplode = nestedRepeat.test(pattern);
    return { test: (text: string) => mayExplode || text.length > maxMatchedLength || expression.test(text) };
  },
  { code: "" },
);
