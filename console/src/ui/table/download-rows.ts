import { downloadText } from '../text/download-text.ts';
import type { DataColumn, ReadAllRows } from './data-table.ts';
import { downloadAllRows } from './download-all-rows.ts';
import { toCsv } from './to-csv.ts';

/** Downloads rows as CSV: with `readAllRows` also those that are not shown yet, which `arrange` filters and sorts as `rows` are. */
export function downloadRows<Row>({
  columns,
  rows,
  readAllRows,
  arrange,
  csvName,
}: {
  columns: readonly DataColumn<Row>[];
  rows: readonly Row[];
  readAllRows: ReadAllRows<Row> | undefined;
  arrange: (rows: readonly Row[]) => readonly Row[];
  csvName: string;
}): unknown {
  const fileName = `${csvName}.csv`;
  const download = (some: readonly Row[]) => downloadText(fileName, 'text/csv', toCsv(columns, some));
  if (readAllRows === undefined) return download(rows);
  return downloadAllRows(fileName, readAllRows, (read) => {
    const arranged = arrange(read);
    download(arranged);
    return arranged.length;
  });
}
