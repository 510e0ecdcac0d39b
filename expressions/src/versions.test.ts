import fc from 'fast-check';
import semver from 'semver';
import { describe, expect, test } from 'vitest';
import { meetsRequirement, requirementProblem } from './versions.ts';

/** A requirement, the versions that meet it, and those that do not. */
const table: [requirement: string, meeting: string, others: string][] = [
  // SemVer
  ['1.4.2', '1.4.2 v1.4.2 1.4.2+build.7', '1.4.1 1.4.3 1.4.2-rc.1'],
  ['=1.4', '1.4.0 1.4.9 1.4 1.4.2.7', '1.5.0 1.3.9'],
  ['^1.2', '1.2.0 1.9.9 1.2', '2.0.0 1.1.9 1.3.0-rc.1'],
  ['^0.2.3', '0.2.3 0.2.9', '0.3.0 0.2.2'],
  ['^0.0.3', '0.0.3', '0.0.4'],
  ['~1.2.3', '1.2.3 1.2.10', '1.3.0 1.2.2'],
  ['~1.2', '1.2.0 1.2.9', '1.3.0'],
  ['~1', '1.0.0 1.9.0', '2.0.0'],
  ['1.*', '1.0.0 1.99.0 1.2', '2.0.0 0.9.0'],
  ['1.2.x', '1.2.0 1.2.7', '1.3.0'],
  ['*', '0.0.1 3.0.0 2026.08 1042 2026-08-14-r3', '1.0.0-rc.1'],
  ['>=1.2, <2', '1.2.0 1.99.9 1.2', '2.0.0 1.1.0'],
  ['>=1.2 <2', '1.2.0 1.99.9', '2.0.0 1.1.0'],
  ['>1.2', '1.3.0 2.0.0', '1.2.9 1.2'],
  ['<=1.2', '1.2.9 1.1.0', '1.3.0'],
  ['1.2 - 2.3', '1.2.0 2.3.9', '2.4.0 1.1.9'],
  ['^1.2 || 3.*', '1.4.0 3.0.1', '2.0.0 4.0.0'],
  ['1.10.0', '1.10.0', '1.1.0 1.1.00'],
  // A pre-release meets only what names one of the same numbers.
  ['>=1.4.0', '1.4.0 2.0.0', '1.4.0-rc.1 2.0.0-rc.1'],
  ['>=1.4.0-rc.2', '1.4.0-rc.2 1.4.0-rc.10 1.4.0 1.5.0', '1.4.0-rc.1 1.5.0-rc.1'],
  ['1.4.0-rc.1', '1.4.0-rc.1', '1.4.0 1.4.0-rc.2'],
  // CalVer
  ['>=2026.08', '2026.08 2026.8 2026.08.1 2026.10 2027.1', '2026.07.9 2025.12 2026.09-rc.1'],
  ['2026.08', '2026.08 2026.08.1 2026.8.14 2026.08.1.4', '2026.09 2026.07'],
  ['>2026.08', '2026.09 2026.9.1', '2026.08.1 2026.08'],
  ['<=2026.08.1', '2026.08.1 2026.08 2026.08.1.7', '2026.08.2 2026.09'],
  ['~2026.08', '2026.08 2026.08.9', '2026.09'],
  ['^26.4', '26.4 26.10 26.04.2', '27.1 26.3'],
  ['2026.*', '2026.01 2026.12.3 2026-08-14 20260814.2', '2027.01'],
  ['>=2026.08-rc.1 <2027', '2026.08-rc.2 2026.08 2026.09', '2026.08-beta 2027.01'],
  // Serial numbers
  ['>= 1042', '1042 1043 20000 99999999999999999999', '1041 7'],
  ['<1042', '1041', '1042'],
  ['1042', '1042 1042-r2', '1043 10420'],
  ['>9007199254740992', '9007199254740993', '9007199254740992'],
  // Dates and their revisions
  [
    '>=2026-08-14-r2',
    '2026-08-14-r2 2026-08-14-r10 2026-08-15 2026-09-01-r1 20260814.3 20260815',
    '2026-08-14-r1 2026-08-14 2026-08-13-r9 20260814.1',
  ],
  [
    '>=20260814.2',
    '20260814.2 20260814.10 20260901 20260814-r3 2026-08-14-r2',
    '20260814 20260813.9 2026-08-14-r1',
  ],
  [
    '2026-08-14',
    '2026-08-14 2026-08-14-r3 2026-08-14-3 20260814 20260814.2 2026.08.14',
    '2026-08-15 20260813',
  ],
  ['>2026-08-14', '2026-08-15 20260815.1', '2026-08-14 2026-08-14-r3'],
  ['~2026-08', '2026-08-14 2026-08-31-r2', '2026-09-01'],
  ['<2026.09', '2026-08-14-r3 20260814.2 2026.08.31', '2026-09-01 20260901'],
  ['^2026.08.14-r2', '2026.08.14-r2 2026.10.14-r1 2026.12.1', '2026.08.14-r1 2027.01.01'],
  // More numbers than SemVer has
  ['>=1.2.3.4', '1.2.3.4 1.2.3.10 1.2.4 2', '1.2.3.3 1.2.3 1.2.3.4-rc.1'],
  ['~1.2.3.4', '1.2.3.4 1.2.9', '1.3.0 1.2.3.3'],
  ['^0.0.0.4', '0.0.0.4', '0.0.0.5 0.0.0.3'],
];

describe.each(table)('%s', (requirement, meeting, others) => {
  test.each(meeting.split(' '))('is met by %s', (version) => {
    expect(meetsRequirement(version, requirement)).toBe(true);
  });
  test.each(others.split(' '))('is not met by %s', (version) => {
    expect(meetsRequirement(version, requirement)).toBe(false);
  });
});

test.each([
  '',
  'newest',
  '1.',
  '.1',
  '1..2',
  '1.2.3-',
  '1.2.3-01',
  'r3',
  '-1',
  '1.2 3',
  '2026-8',
  '2026.08-1',
  '1.2-r3',
  'x',
  '*',
  '1.*',
  '1'.repeat(257),
])('%j is no version', (text) => {
  expect(() => meetsRequirement(text, '*')).toThrow('is no version that can be compared');
});

test('white space around a version does not count', () => {
  expect(meetsRequirement(' 1.4.2\n', '1.4.2')).toBe(true);
});

test.each([
  '',
  ' ',
  '||',
  '1 ||',
  '> = 1',
  '>',
  '=>1',
  '!=1',
  '1.2.3-',
  '^newest',
  '1 && 2',
  '1.x.2',
  '>=1.2.3 - 2',
  '1'.repeat(257),
])('%j is no requirement', (requirement) => {
  expect(requirementProblem(requirement)).toMatch(/^".*" is no version requirement, such as .*\.$/);
  expect(() => meetsRequirement('1.4.2', requirement)).toThrow('is no version requirement');
});

const part = fc.nat({ max: 3 });
const preRelease = fc.constantFrom('', '', '-rc.1', '-rc.2', '-alpha', '-0');
const version = fc.tuple(part, part, part, preRelease).map(([a, b, c, pre]) => `${a}.${b}.${c}${pre}`);
const operand = fc.oneof(
  version,
  fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.')),
  fc.array(part, { maxLength: 2 }).map((parts) => [...parts, '*'].join('.')),
);
const comparator = fc
  .tuple(fc.constantFrom('', '=', '<', '<=', '>', '>=', '^', '~'), operand)
  .map((parts) => parts.join(''));

test('agrees with the library of npm where that reads the requirement', () => {
  fc.assert(
    fc.property(
      version,
      fc.array(fc.array(comparator, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 }),
      (one, all) => {
        const requirement = all.map((comparators) => comparators.join(' ')).join(' || ');
        const isMet = all.some((comparators) => semver.satisfies(one, comparators.join(' ')));
        expect(meetsRequirement(one, requirement)).toBe(isMet);
      },
    ),
    { numRuns: 10_000 },
  );
});

test('a fourth number changes nothing for requirements of fewer numbers', () => {
  const release = fc.tuple(part, part, part).map((parts) => parts.join('.'));
  const releases = fc.array(
    comparator.filter((one) => !one.includes('-')),
    { minLength: 1, maxLength: 3 },
  );
  fc.assert(
    fc.property(release, releases, (one, comparators) => {
      const requirement = comparators.join(' ');
      expect(meetsRequirement(`${one}.7`, requirement)).toBe(semver.satisfies(one, requirement));
    }),
    { numRuns: 10_000 },
  );
});
