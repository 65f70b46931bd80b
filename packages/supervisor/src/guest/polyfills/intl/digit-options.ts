import { RangeErrorOf } from "../captured.ts";
import { max, min, unsupported } from "./captured-intl.ts";
import { type Decimal, fractionText, integerText, type RoundingMode, roundAt, roundingModes } from "./decimal.ts";
import { choose, type Options, whole, wholeOf } from "./options.ts";

/** How many digits a number gets. A pair that does not bound the number is undefined. */
export type DigitOptions = {
  readonly minimumIntegerDigits: number;
  readonly fraction: Bounds | undefined;
  readonly significant: Bounds | undefined;
  readonly roundingMode: RoundingMode;
  readonly roundingPriority: "auto" | "morePrecision" | "lessPrecision";
  readonly trailingZeroDisplay: "auto" | "stripIfInteger";
};
type Bounds = { readonly least: number; readonly most: number };

/** A rounded number as its digits. */
export type RoundedDigits = { readonly rounded: Decimal; readonly integer: string; readonly fraction: string };

type Raw = { readonly least: unknown; readonly most: unknown };

/** `SetNumberFormatDigitOptions` of ECMA-402, without `roundingIncrement`. */
export function resolveDigits(options: Options, defaults: Bounds, compact: boolean): DigitOptions {
  const minimumIntegerDigits = whole(options, "minimumIntegerDigits", [1, 21]) ?? 1;
  const fraction: Raw = { least: options.minimumFractionDigits, most: options.maximumFractionDigits };
  const significant: Raw = { least: options.minimumSignificantDigits, most: options.maximumSignificantDigits };
  if ((options.roundingIncrement ?? 1) !== 1)
    throw unsupported("roundingIncrement", "divide, round and multiply before you format");
  const roundingMode = choose(options, "roundingMode", roundingModes, "halfExpand");
  const priorities = ["auto", "morePrecision", "lessPrecision"] as const;
  const priority = choose(options, "roundingPriority", priorities, "auto");
  const trailingZeroDisplay = choose(options, "trailingZeroDisplay", ["auto", "stripIfInteger"], "auto");
  const bySignificant = significant.least !== undefined || significant.most !== undefined;
  const byFraction = fraction.least !== undefined || fraction.most !== undefined;
  const common = { minimumIntegerDigits, roundingMode, trailingZeroDisplay };
  const needSignificant = priority !== "auto" || bySignificant;
  const needFraction = priority !== "auto" || !(bySignificant || (!byFraction && compact));
  if (!needSignificant && !needFraction) {
    const bounds = { fraction: { least: 0, most: 0 }, significant: { least: 1, most: 2 } };
    return { ...common, ...bounds, roundingPriority: "morePrecision" };
  }
  return {
    ...common,
    significant: needSignificant ? significantBounds(significant) : undefined,
    fraction: needFraction ? fractionBounds(fraction, defaults) : undefined,
    roundingPriority: priority,
  };
}

function significantBounds(raw: Raw): Bounds {
  const least = wholeOf(raw.least, "minimumSignificantDigits", [1, 21]) ?? 1;
  return { least, most: wholeOf(raw.most, "maximumSignificantDigits", [least, 21]) ?? 21 };
}

function fractionBounds(raw: Raw, defaults: Bounds): Bounds {
  const least = wholeOf(raw.least, "minimumFractionDigits", [0, 100]);
  const most = wholeOf(raw.most, "maximumFractionDigits", [0, 100]);
  if (least === undefined) return most === undefined ? defaults : { least: min(defaults.least, most), most };
  if (most === undefined) return { least, most: max(defaults.most, least) };
  if (least > most) throw new RangeErrorOf(`minimumFractionDigits ${least} is more than maximumFractionDigits ${most}`);
  return { least, most };
}

/** Rounds a finite decimal and writes its digits. */
export function roundDigits(value: Decimal, options: DigitOptions): RoundedDigits {
  const { fraction, significant, roundingPriority, roundingMode } = options;
  const magnitude = value.digits === "" ? 1 : value.point;
  let useFraction = significant === undefined;
  if (fraction !== undefined && significant !== undefined) {
    const fractionIsFiner = fraction.most > significant.most - magnitude;
    useFraction = fractionIsFiner === (roundingPriority === "morePrecision");
  }
  const place = useFraction ? (fraction as Bounds).most : (significant as Bounds).most - magnitude;
  const rounded = roundAt(value, place, roundingMode);
  const roundedMagnitude = rounded.digits === "" ? 1 : rounded.point;
  const least = useFraction ? (fraction as Bounds).least : max(0, (significant as Bounds).least - roundedMagnitude);
  const strip = options.trailingZeroDisplay === "stripIfInteger" && rounded.digits.length <= rounded.point;
  const fractionDigits = strip ? "" : fractionText(rounded, least);
  return { rounded, integer: integerText(rounded, options.minimumIntegerDigits), fraction: fractionDigits };
}

/** The digit members of `resolvedOptions()`, in the order of the specification. */
export function describeDigits(target: { [key: string]: unknown }, digits: DigitOptions): void {
  target.minimumIntegerDigits = digits.minimumIntegerDigits;
  if (digits.fraction !== undefined) {
    target.minimumFractionDigits = digits.fraction.least;
    target.maximumFractionDigits = digits.fraction.most;
  }
  if (digits.significant !== undefined) {
    target.minimumSignificantDigits = digits.significant.least;
    target.maximumSignificantDigits = digits.significant.most;
  }
}

/** The rounding members of `resolvedOptions()`, which come last. */
export function describeRounding(target: { [key: string]: unknown }, digits: DigitOptions): void {
  target.roundingIncrement = 1;
  target.roundingMode = digits.roundingMode;
  target.roundingPriority = digits.roundingPriority;
  target.trailingZeroDisplay = digits.trailingZeroDisplay;
}
