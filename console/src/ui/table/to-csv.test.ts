import { expect, it } from 'vitest';
import { toCsv } from './to-csv.ts';

type Row = { name: string; seen: Date; count: number };
const columns = [
  { id: 'name', header: 'Name', value: (row: Row) => row.name },
  { id: 'seen', header: 'First Seen', value: (row: Row) => row.seen },
  { id: 'count', header: 'Count', value: (row: Row) => row.count },
  { id: 'actions', header: 'Actions', cell: () => 'View' },
];

const withName = (name: string) => toCsv([columns[0]!], [{ name, seen: new Date(0), count: 0 }]);

it('begins with a byte order mark, quotes every cell and omits columns without a value', () => {
  const seen = new Date(Date.UTC(2026, 9, 2));
  expect(toCsv(columns, [{ name: 'a "b", c', seen, count: -3 }])).toBe(
    '\uFEFF"Name","First Seen","Count"\r\n"a ""b"", c","2026-10-02T00:00:00.000Z","-3"\r\n',
  );
});

it.each([
  ['=HYPERLINK("x")', `'=HYPERLINK(""x"")`],
  ['+49 151', "'+49 151"],
  ['-2+3', "'-2+3"],
  ['@SUM(1)', "'@SUM(1)"],
  ['\t=1', "'\t'=1"],
  ['\r1', "'\r1"],
  ['  =1', "  '=1"],
  ['"=1', `""'=1`],
  ['\u00a0"\'=1', `\u00a0""''=1`],
  ['a;=1', "a;'=1"],
  ['a,"=1', `a,""'=1`],
  ['a\t =1', "a\t '=1"],
  ['a\n@b\r\n+c|-d', "a\n'@b\r\n'+c|'-d"],
  ['＝1＋1', "'＝1＋1"],
  ['a；＠b', "a；'＠b"],
  ['－1', "'－1"],
  ['−1', "'−1"],
  ['-3', '-3'],
  ['+1.5e-7', '+1.5e-7'],
  ['a-b = c@d', 'a-b = c@d'],
  ['2026-10-02T00:00:00.000Z', '2026-10-02T00:00:00.000Z'],
])('the cell %j becomes %j, which no spreadsheet runs as a formula', (name, cell) => {
  expect(withName(name)).toBe(`\uFEFF"Name"\r\n"${cell}"\r\n`);
});
