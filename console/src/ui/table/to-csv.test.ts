import { expect, it } from 'vitest';
import { toCsv } from './to-csv.ts';

type Row = { name: string; seen: Date; count: number };
const columns = [
  { id: 'name', header: 'Name', value: (row: Row) => row.name },
  { id: 'seen', header: 'First Seen', value: (row: Row) => row.seen },
  { id: 'count', header: 'Count', value: (row: Row) => row.count },
  { id: 'actions', header: 'Actions', cell: () => 'View' },
];

it('quotes cells where needed and omits columns without a value', () => {
  const seen = new Date(Date.UTC(2026, 9, 2));
  expect(toCsv(columns, [{ name: 'a "b", c', seen, count: -3 }])).toBe(
    'Name,First Seen,Count\r\n"a ""b"", c",2026-10-02T00:00:00.000Z,-3\r\n',
  );
});

it('writes no cell that a spreadsheet would run as a formula', () => {
  expect(toCsv([columns[0]!], [{ name: '=HYPERLINK("x")', seen: new Date(0), count: 0 }])).toBe(
    'Name\r\n"\'=HYPERLINK(""x"")"\r\n',
  );
});
