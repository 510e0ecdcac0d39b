import type { Json } from './expression.ts';
import { compareNumbers, isNumber, longDigitsIn } from './numbers.ts';

/** Counts work; throws where an evaluation has done too much. */
export type Work = (steps: number) => void;

/** What takes as long as a step, the comparison of two small values. */
const equalCharactersPerStep = 64;
const orderedCharactersPerStep = 8;
const stepsPerKey = 4;
const digitsPerStep = 16;

/** Whether two values are the same JSON: numbers by mathematical value, objects whatever the order of their keys. */
export function isEqual(left: Json, right: Json, work: Work): boolean {
  work(1);
  if (typeof left === 'string' || typeof right === 'string') return isSameText(left, right, work);
  if (left === right) return true;
  if (isNumber(left) || isNumber(right))
    return isNumber(left) && isNumber(right) && numericOrder(left, right, work) === 0;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right))
    return Array.isArray(left) && Array.isArray(right) && haveEqualItems(left, right, work);
  return haveEqualFields(left, right, work);
}

function numericOrder(...[left, right, work]: [...Parameters<typeof compareNumbers>, Work]): number {
  work(longDigitsIn(left, right) / digitsPerStep);
  return compareNumbers(left, right);
}

function isSameText(left: Json, right: Json, work: Work): boolean {
  if (typeof left !== 'string' || typeof right !== 'string' || left.length !== right.length) return false;
  work(left.length / equalCharactersPerStep);
  return left === right;
}

function haveEqualItems(left: readonly Json[], right: readonly Json[], work: Work): boolean {
  return (
    left.length === right.length && left.every((item, index) => isEqual(item, right[index] as Json, work))
  );
}

type Fields = { readonly [key: string]: Json };

function haveEqualFields(left: Fields, right: Fields, work: Work): boolean {
  const keys = Object.keys(left);
  const others = Object.keys(right).length;
  work((keys.length + others) * stepsPerKey);
  if (keys.length !== others) return false;
  return keys.every(
    (key) => Object.hasOwn(right, key) && isEqual(left[key] as Json, right[key] as Json, work),
  );
}

/** Negative, zero or positive as `left` comes before, with or after `right`: two numbers by value, two texts by code points. Undefined for other values. */
export function compareValues(left: Json, right: Json, work: Work): number | undefined {
  work(1);
  if (isNumber(left) && isNumber(right)) return numericOrder(left, right, work);
  if (typeof left !== 'string' || typeof right !== 'string') return undefined;
  work(Math.min(left.length, right.length) / orderedCharactersPerStep);
  return compareTexts(left, right);
}

/** PostgreSQL orders texts alike with the collation "C". */
function compareTexts(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at += 1) {
    if (left.charCodeAt(at) === right.charCodeAt(at)) continue;
    const isInPair = at > 0 && codePointDifference(left, right, at - 1) !== 0;
    return codePointDifference(left, right, isInPair ? at - 1 : at);
  }
  return left.length - right.length;
}

function codePointDifference(left: string, right: string, at: number): number {
  return Number(left.codePointAt(at)) - Number(right.codePointAt(at));
}
