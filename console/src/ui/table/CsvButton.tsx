import { Download } from 'lucide-react';
import { uiCopy } from '../copy.ts';
import { Button } from '../action/Button.tsx';
import { Tooltip } from '../overlay/Tooltip.tsx';
import { downloadText } from '../text/download-text.ts';
import type { DataColumn } from './data-table.ts';
import { toCsv } from './to-csv.ts';

/** Downloads the shown rows, in their order, as CSV. */
export function CsvButton<Row>({
  columns,
  rows,
  csvName,
}: {
  columns: readonly DataColumn<Row>[];
  rows: readonly Row[];
  csvName: string;
}) {
  return (
    <Tooltip content={uiCopy.table.csvHint}>
      <Button
        icon={<Download size={15} aria-hidden />}
        className="max-sm:hidden"
        onClick={() => downloadText(`${csvName}.csv`, 'text/csv', toCsv(columns, rows))}
      >
        {uiCopy.table.csv}
      </Button>
    </Tooltip>
  );
}
