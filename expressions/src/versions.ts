import semver from 'semver';
import { clipped } from './evaluation-error.ts';

/** A text is not a version. */
export class VersionError extends Error {}

/** A text is not a version requirement. */
export class RequirementError extends Error {}

/** What stands in a version: its numbers, and the identifiers behind a dash that make it a pre-release of them. */
interface Version {
  readonly numbers: readonly bigint[];
  readonly preRelease: string | undefined;
}

interface Comparator {
  readonly operator: string;
  /** Stands for all versions that begin with its numbers. */
  readonly operand: Version;
}

const maxCharacters = 256;
/** SemVer, CalVer, a list of any other number of numbers, or one number. */
const dotted = /^v?(\d+(?:\.\d+)*)(?:-([\da-z.-]+))?(?:\+[\da-z.-]+)?$/i;
/** A year and a month, or a date, which a revision may follow. */
const dashed = /^([12]\d{3})-(\d\d)(?:-(\d\d)(?:[-._](?:r|rev)?(\d+))?)?$/i;
/** One number, as a date without dashes, or numbers that begin with a year, and a revision. */
const revised = /^v?(\d+|[12]\d{3}(?:\.\d+)+)[-._](?:r|rev)(\d+)$/i;
const revisedCompact = /^([12]\d{7})-(\d+)$/;
const compact = /^[12]\d{3}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;
/** One comparison of a requirement. */
const comparator = /(\^|~|[<>]=?|=)?\s*([^\s<>=^~]+)/g;

/**
 * Whether a version meets a requirement such as `^1.2`, `>=2026.08, <2027` or `~1.4 || 2.*`. Three numbers follow SemVer; a longer list, as of a date with its revision, is compared number by
 * number. Throws a `VersionError` or a `RequirementError`.
 */
export function meetsRequirement(text: string, requirement: string): boolean {
  const alternatives = readRequirement(requirement);
  const version = readVersion(text);
  const operands = alternatives.flat().map(({ operand }) => operand);
  if (![version, ...operands].some(isByYear)) return alternatives.some((all) => meetsAll(version, all));
  return alternatives.some((all) =>
    meetsAll(
      withoutCompactDate(version),
      all.map(({ operator, operand }) => ({ operator, operand: withoutCompactDate(operand) })),
    ),
  );
}

/** What is wrong with a text as a requirement, as a sentence; undefined for a requirement. */
export function requirementProblem(requirement: string): string | undefined {
  try {
    readRequirement(requirement);
    return undefined;
  } catch (error) {
    if (error instanceof RequirementError) return error.message;
    throw error;
  }
}

function readVersion(text: string): Version {
  const version = text.length > maxCharacters ? undefined : versionIn(text.trim());
  if (version !== undefined) return version;
  throw new VersionError(
    `${quoted(text)} is no version that can be compared, such as 1.4.2, 2026.08, 1042 or 2026-08-14-r3.`,
  );
}

function readRequirement(text: string): Comparator[][] {
  const alternatives = text.length > maxCharacters ? undefined : text.split('||').map(comparatorsIn);
  if (alternatives?.every((all) => all !== undefined) === true) return alternatives;
  throw new RequirementError(
    `${quoted(text)} is no version requirement, such as ^1.4, >=2026.08, ~1.2 || 2.* or * for any version.`,
  );
}

function quoted(text: string): string {
  return JSON.stringify(clipped(text));
}

function versionIn(text: string): Version | undefined {
  const parts = dashed.exec(text) ?? revised.exec(text) ?? revisedCompact.exec(text);
  if (parts !== null) {
    const written = parts.slice(1).filter((part) => part !== undefined);
    return { numbers: numbersIn(written.join('.')), preRelease: undefined };
  }
  const [, written, preRelease] = dotted.exec(text) ?? [];
  if (written === undefined) return undefined;
  const numbers = numbersIn(written);
  return preRelease === undefined || isPreRelease(preRelease, numbers.length)
    ? { numbers, preRelease }
    : undefined;
}

/** Behind other than three numbers, a number may as well be a month or a revision. */
function isPreRelease(text: string, numbers: number): boolean {
  return semver.valid(`0.0.0-${text}`) !== null && (numbers === 3 || !/^r?\d/i.test(text));
}

function numbersIn(text: string): bigint[] {
  return text.split('.').map(BigInt);
}

/** The comparisons that one alternative of a requirement asks for together; undefined where there is none, or something else. */
function comparatorsIn(text: string): Comparator[] | undefined {
  const spread = text.replaceAll(',', ' ').replace(/(\S+)\s+-\s+(\S+)/g, '>=$1 <=$2');
  if (spread.replace(comparator, '').trim() !== '') return undefined;
  const found = [...spread.matchAll(comparator)].map(([, operator = '=', written = '']) => {
    const operand = operandIn(written);
    return operand === undefined ? undefined : { operator, operand };
  });
  return found.length > 0 && found.every((one) => one !== undefined) ? found : undefined;
}

function operandIn(text: string): Version | undefined {
  if (/^[*x]$/i.test(text)) return { numbers: [], preRelease: undefined };
  return versionIn(text.replace(/(?:\.[*x])+$/i, ''));
}

/** Whether it begins with what may be a year: beside it, eight digits are a date. */
function isByYear({ numbers }: Version): boolean {
  const [first = 0n] = numbers;
  return first >= 1000n && first < 3000n;
}

function withoutCompactDate(version: Version): Version {
  const [first = 0n, ...rest] = version.numbers;
  const text = String(first);
  if (!compact.test(text)) return version;
  const date = [text.slice(0, 4), text.slice(4, 6), text.slice(6)].map(BigInt);
  return { ...version, numbers: [...date, ...rest] };
}

function meetsAll(version: Version, all: readonly Comparator[]): boolean {
  const versions = [version, ...all.map(({ operand }) => operand)];
  if (!versions.every(isSemVer)) return all.every((one) => meetsOne(version, one));
  const range = all.map(({ operator, operand }) => operator + semVerOf(operand, operand.preRelease ? 3 : 0));
  return semver.satisfies(semVerOf(version, 3), range.join(' '));
}

/** SemVer has at most three numbers, and npm's library numbers up to 2^53. */
function isSemVer({ numbers }: Version): boolean {
  return numbers.length <= 3 && numbers.every((number) => number <= Number.MAX_SAFE_INTEGER);
}

function semVerOf({ numbers, preRelease }: Version, minNumbers: number): string {
  const all = [...numbers, ...Array.from({ length: Math.max(0, minNumbers - numbers.length) }, () => 0n)];
  if (all.length === 0) return '*';
  return all.join('.') + (preRelease === undefined ? '' : `-${preRelease}`);
}

/** As SemVer, for any number of numbers: compares as many of them as the requirement writes; a pre-release meets only what names it. */
function meetsOne({ numbers, preRelease }: Version, { operator, operand }: Comparator): boolean {
  if (preRelease !== undefined) return false;
  const differences = operand.numbers.map((number, index) => Number((numbers[index] ?? 0n) - number));
  const differing = differences.findIndex((difference) => difference !== 0);
  const order = differences[differing] ?? Number(operand.preRelease !== undefined);
  switch (operator) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    case '=':
      return order === 0;
    default:
      return order >= 0 && (differing === -1 || differing >= keptNumbers(operator, operand.numbers));
  }
}

/** How many numbers stay the same in the versions that `~` and `^` allow. */
function keptNumbers(operator: string, numbers: readonly bigint[]): number {
  if (operator === '~') return Math.min(2, numbers.length);
  const firstAboveZero = numbers.findIndex((number) => number > 0n);
  return firstAboveZero === -1 ? numbers.length : firstAboveZero + 1;
}
