import { exec, NumberOf, StringOf, slice } from "../captured.ts";
import { isFiniteNumber, padEnd, padStart, repeat, test } from "./captured-intl.ts";

/** `±0.digits × 10^point`. The digits have no zeros at either end; zero has none. NaN and Infinity have no digits. */
export type Decimal = {
  readonly negative: boolean;
  readonly digits: string;
  readonly point: number;
  readonly special: "" | "nan" | "infinity";
};

export const roundingModes = [
  "ceil",
  "floor",
  "expand",
  "trunc",
  "halfCeil",
  "halfFloor",
  "halfExpand",
  "halfTrunc",
  "halfEven",
] as const;
export type RoundingMode = (typeof roundingModes)[number];

const decimalShape = /^\s*([+-]?)0*(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?\s*$/i;
const leadingZeros = /^0*/;
const trailingZeros = /0+$/;

/** Reads a number, BigInt or anything that converts to one. Text keeps digits that a number has no room for. */
export function toDecimal(value: unknown): Decimal {
  const primitive = typeof value === "object" && value !== null ? primitiveOf(value) : value;
  if (typeof primitive === "bigint") return readDecimal(StringOf(primitive));
  const number = +(primitive as number);
  if (!isFiniteNumber(number))
    return { negative: number < 0, digits: "", point: 0, special: number < 0 || number > 0 ? "infinity" : "nan" };
  if (number === 0) return { negative: 1 / number < 0, digits: "", point: 0, special: "" };
  const exact = typeof primitive === "string" && test(decimalShape, primitive);
  return readDecimal(exact ? primitive : StringOf(number));
}

/** As `Number(value)` does it, but BigInts stay what they are. */
function primitiveOf(value: object): unknown {
  const convert = (value as { [Symbol.toPrimitive]?: unknown })[Symbol.toPrimitive];
  if (convert === undefined && typeof value.valueOf === "function") {
    const primitive: unknown = value.valueOf();
    if (typeof primitive !== "object") return primitive;
  }
  return NumberOf(value);
}

function readDecimal(text: string): Decimal {
  const match = exec(decimalShape, text) as RegExpExecArray;
  const whole = match[2] as string;
  const all = whole + (match[3] ?? "");
  const zeros = (exec(leadingZeros, all) as RegExpExecArray)[0].length;
  const digits = withoutTrailingZeros(slice(all, zeros));
  return {
    negative: match[1] === "-",
    digits,
    point: digits === "" ? 0 : whole.length - zeros + +(match[4] ?? 0),
    special: "",
  };
}

function withoutTrailingZeros(digits: string): string {
  const match = exec(trailingZeros, digits);
  return match === null ? digits : slice(digits, 0, match.index);
}

/** Rounds to `place` digits after the decimal point; a negative place rounds to tens, hundreds, … */
export function roundAt(value: Decimal, place: number, mode: RoundingMode): Decimal {
  const keep = value.point + place;
  if (keep >= value.digits.length) return value;
  const kept = keep > 0 ? slice(value.digits, 0, keep) : "";
  const odd = kept !== "" && +(kept[keep - 1] as string) % 2 === 1;
  const half = keep < 0 ? -1 : compareToHalf(slice(value.digits, keep));
  if (roundsUp(mode, value.negative, half, odd)) return increased(value, kept, place);
  const digits = withoutTrailingZeros(kept);
  return { ...value, digits, point: digits === "" ? 0 : value.point };
}

/** Adds one to the last kept digit. */
function increased(value: Decimal, kept: string, place: number): Decimal {
  let last = kept.length - 1;
  while (last >= 0 && kept[last] === "9") last--;
  if (last < 0) return { ...value, digits: "1", point: kept === "" ? 1 - place : value.point + 1 };
  return { ...value, digits: slice(kept, 0, last) + (+(kept[last] as string) + 1) };
}

function compareToHalf(rest: string): number {
  const first = rest[0] as string;
  if (first !== "5") return first < "5" ? -1 : 1;
  return rest.length > 1 ? 1 : 0;
}

function roundsUp(mode: RoundingMode, negative: boolean, half: number, odd: boolean): boolean {
  switch (mode) {
    case "ceil":
      return !negative;
    case "floor":
      return negative;
    case "expand":
      return true;
    case "trunc":
      return false;
    default:
      return half === 0 ? tieRoundsUp(mode, negative, odd) : half > 0;
  }
}

function tieRoundsUp(mode: RoundingMode, negative: boolean, odd: boolean): boolean {
  if (mode === "halfCeil") return !negative;
  if (mode === "halfFloor") return negative;
  return mode === "halfEven" ? odd : mode === "halfExpand";
}

/** The digits before the decimal point, at least `minimum` of them. */
export function integerText({ digits, point }: Decimal, minimum: number): string {
  return padStart(point > 0 ? padEnd(slice(digits, 0, point), point, "0") : "0", minimum, "0");
}

/** The digits after the decimal point, at least `minimum` of them. */
export function fractionText({ digits, point }: Decimal, minimum: number): string {
  return padEnd(point >= 0 ? slice(digits, point) : repeat("0", -point) + digits, minimum, "0");
}

/** The same digits times `10^exponent`. */
export function shifted(value: Decimal, exponent: number): Decimal {
  return value.digits === "" ? value : { ...value, point: value.point + exponent };
}
