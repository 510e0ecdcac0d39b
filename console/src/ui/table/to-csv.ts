import { type DataColumn, valueText } from './data-table.ts';

/** The rows as CSV (RFC 4180) with a header line, without the columns that have no value. */
export function toCsv<Row>(columns: readonly DataColumn<Row>[], rows: readonly Row[]): string {
  const exported = columns.filter((column) => column.value !== undefined);
  const lines = [
    exported.map((column) => column.header),
    ...rows.map((row) => exported.map((column) => column.csvText?.(row) ?? valueText(column.value?.(row)))),
  ];
  return `${lines.map((line) => line.map(quote).join(',')).join('\r\n')}\r\n`;
}

function quote(text: string): string {
  // A spreadsheet would run a cell that starts like this as a formula.
  const safe = /^[=+\-@\t\r]/u.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
