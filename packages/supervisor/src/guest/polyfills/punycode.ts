import { codePointAt, fromCharCode } from "./captured.ts";

/** The parameters of RFC 3492 for domain names. */
const base = 36;
const minThreshold = 1;
const maxThreshold = 26;
const skew = 38;
const damping = 700;
const initialBias = 72;
const firstNonAscii = 128;

/** The Punycode of a label with non-ASCII characters, without the `xn--`. Quadratic: the label must be short. */
export function encodePunycode(label: string): string {
  const codes: number[] = [];
  let result = "";
  for (let index = 0; index < label.length; index++) {
    const code = codePointAt(label, index) as number;
    codes[codes.length] = code;
    if (code < firstNonAscii) result += fromCharCode(code);
    if (code > 0xffff) index++;
  }
  const asciiCount = result.length;
  if (asciiCount > 0) result += "-";
  let previous = firstNonAscii;
  let delta = 0;
  let bias = initialBias;
  for (let handled = asciiCount; handled < codes.length; previous++, delta++) {
    const current = smallestFrom(codes, previous);
    delta += (current - previous) * (handled + 1);
    previous = current;
    for (let index = 0; index < codes.length; index++) {
      const code = codes[index] as number;
      if (code < current) delta++;
      if (code !== current) continue;
      result += variableLength(delta, bias);
      bias = adapt(delta, handled + 1, handled === asciiCount);
      delta = 0;
      handled++;
    }
  }
  return result;
}

function smallestFrom(codes: readonly number[], least: number): number {
  let best = 0x110000;
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index] as number;
    if (code >= least && code < best) best = code;
  }
  return best;
}

function variableLength(delta: number, bias: number): string {
  let text = "";
  let rest = delta;
  for (let position = base; ; position += base) {
    const wanted = position - bias;
    const threshold = wanted < minThreshold ? minThreshold : Math.min(wanted, maxThreshold);
    if (rest < threshold) return text + digit(rest);
    text += digit(threshold + ((rest - threshold) % (base - threshold)));
    rest = (rest - threshold - ((rest - threshold) % (base - threshold))) / (base - threshold);
  }
}

function digit(value: number): string {
  return fromCharCode(value < 26 ? 97 + value : 22 + value);
}

function adapt(delta: number, count: number, first: boolean): number {
  let scaled = first ? whole(delta, damping) : whole(delta, 2);
  scaled += whole(scaled, count);
  let bias = 0;
  for (; scaled > ((base - minThreshold) * maxThreshold) / 2; bias += base) scaled = whole(scaled, base - minThreshold);
  return bias + whole((base - minThreshold + 1) * scaled, scaled + skew);
}

function whole(value: number, by: number): number {
  return (value - (value % by)) / by;
}
