/** Not in the types of TypeScript yet. */
const { isRawJSON } = JSON as { readonly isRawJSON?: (value: unknown) => boolean };

/** An integer that a double would change, kept by its digits. */
interface LongInteger {
  readonly rawJSON: string;
}

/** Whether a value is a number of JSON. */
export function isNumber(value: unknown): value is number | LongInteger {
  return typeof value === 'number' || (typeof value === 'object' && isLongInteger(value));
}

/** Whether a value is an integer that a double would change. */
export function isLongInteger(value: unknown): value is LongInteger {
  return isRawJSON?.(value) === true;
}

/** How many digits of long integers a comparison of two numbers reads at most. */
export function longDigitsIn(left: number | LongInteger, right: number | LongInteger): number {
  return (
    (typeof left === 'number' ? 0 : left.rawJSON.length) +
    (typeof right === 'number' ? 0 : right.rawJSON.length)
  );
}

/** Negative, zero or positive as `left` is less than, equal to or greater than `right`, by mathematical value. */
export function compareNumbers(left: number | LongInteger, right: number | LongInteger): number {
  const [one, other] = [doubleOf(left), doubleOf(right)];
  if (one !== other) return one < other ? -1 : 1;
  if (typeof left === 'number' && typeof right === 'number') return 0;
  const order = compareDigits(digitsOf(left), digitsOf(right));
  return one < 0 ? -order : order;
}

function doubleOf(value: number | LongInteger): number {
  return typeof value === 'number' ? value : Number(value.rawJSON);
}

/** A double next to a long integer stands for the integer that JSON writes for it: its binary value may be another. */
function digitsOf(value: number | LongInteger): string {
  if (typeof value !== 'number') return value.rawJSON.replace('-', '');
  const [mantissa = '', exponent] = Math.abs(value).toExponential().split('e+');
  return mantissa.replace('.', '').padEnd(Number(exponent) + 1, '0');
}

function compareDigits(one: string, other: string): number {
  if (one.length !== other.length) return one.length - other.length;
  return one < other ? -1 : Number(one > other);
}
