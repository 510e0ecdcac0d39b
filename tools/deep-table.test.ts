import { expect, test } from 'vitest';
import { deepTable } from './deep-table.ts';

test('a figure is reported as passed only if the tests of its file ran and passed', () => {
  const row = (file: string) => ({ what: `work of ${file}`, file, deep: 1000 });
  const result = (file: string, status: string) => ({
    file: `/root/${file}`,
    name: 'x',
    status,
    message: '',
  });
  const tests = [result('a.test.ts', 'passed'), result('b.test.ts', 'passed'), result('b.test.ts', 'failed')];
  const lines = deepTable([row('a.test.ts'), row('b.test.ts'), row('c.test.ts')], {
    tests,
    problems: [],
    fileSeconds: new Map([['a.test.ts', 61.4]]),
  });
  expect(lines).toEqual([
    '    1,000  work of a.test.ts  passed     61 s  a.test.ts',
    '    1,000  work of b.test.ts  FAILED      0 s  b.test.ts',
    '    1,000  work of c.test.ts  FAILED      0 s  c.test.ts',
  ]);
});
