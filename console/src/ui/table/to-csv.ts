import { type DataColumn, valueText } from './data-table.ts';

/** Tells spreadsheets that the file is UTF-8. */
const byteOrderMark = '\uFEFF';
/** What begins a formula, also as full-width and small forms and as the sign of minus, where a cell may begin: at its start or after a separator, behind blanks and quotes. */
const formulaStart = /(?=[=+\-@\t\r＝＋－＠﹦﹢﹣﹫−])(?<=(?:^|[,;|\t\r\n，；｜])(?:(?![\t\r\n])[\s"'])*)/gu;
const plainNumber = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/iu;

/** The rows as CSV (RFC 4180) in quotes with a header line, without the columns that have no value; no spreadsheet takes a part of it for a formula. */
export function toCsv<Row>(columns: readonly DataColumn<Row>[], rows: readonly Row[]): string {
  const exported = columns.filter((column) => column.value !== undefined);
  const lines = [
    exported.map((column) => column.header),
    ...rows.map((row) => exported.map((column) => column.csvText?.(row) ?? valueText(column.value?.(row)))),
  ];
  return `${byteOrderMark}${lines.map((line) => line.map(quote).join(',')).join('\r\n')}\r\n`;
}

function quote(text: string): string {
  const safe = plainNumber.test(text) ? text : text.replaceAll(formulaStart, "'");
  return `"${safe.replaceAll('"', '""')}"`;
}
