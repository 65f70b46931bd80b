/** File name of the program in stacks; frames of other names are ours. */
export const cellFileName = "cell.js";

/** What stands before the body on its first line: columns there are shifted by its length. */
export const bodyPrefix = "({async f(){";
export const bodySuffix = "\n}}).f";

/** Second wrapper of the compile check: after an unmatched `}` the two wrappers need different continuations, so no body closes both. */
export const checkPrefix = "async function f(){";
export const checkSuffix = "\n}";

/** Columns by which frames on the body's first line are shifted. */
export const bodyFirstLineShift = bodyPrefix.length;
