import { Download } from 'lucide-react';
import { tableCopy } from './copy.ts';
import { Button } from '../action/Button.tsx';
import { Tooltip } from '../overlay/Tooltip.tsx';
import { downloadText } from '../text/download-text.ts';
import type { DataColumn, ReadAllRows } from './data-table.ts';
import { downloadAllRows } from './download-all-rows.ts';
import { toCsv } from './to-csv.ts';

/** Downloads the rows that match, in the order shown, as CSV: with `readAllRows` also those that are not shown yet. */
export function CsvButton<Row>({
  columns,
  rows,
  readAllRows,
  arrange,
  csvName,
}: {
  columns: readonly DataColumn<Row>[];
  rows: readonly Row[];
  readAllRows: ReadAllRows<Row> | undefined;
  /** Filters and sorts what `readAllRows` has read, as `rows` are. */
  arrange: (rows: readonly Row[]) => readonly Row[];
  csvName: string;
}) {
  const fileName = `${csvName}.csv`;
  return (
    <Tooltip content={readAllRows === undefined ? tableCopy.csvHint : tableCopy.csvAllHint}>
      <Button
        icon={<Download size={15} aria-hidden />}
        className="max-sm:hidden"
        onClick={() => (readAllRows === undefined ? download(rows) : downloadAll(readAllRows))}
      >
        {tableCopy.csv}
      </Button>
    </Tooltip>
  );

  function download(some: readonly Row[]): void {
    downloadText(fileName, 'text/csv', toCsv(columns, some));
  }

  function downloadAll(readAll: ReadAllRows<Row>): Promise<void> {
    return downloadAllRows(fileName, readAll, (read) => {
      const arranged = arrange(read);
      download(arranged);
      return arranged.length;
    });
  }
}
