import { Download, Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../action/Button.tsx';
import { useOneRun } from '../action/use-one-run.ts';
import { Menu } from '../overlay/Menu.tsx';
import { MenuCheckbox } from '../overlay/MenuCheckbox.tsx';
import { MenuItem } from '../overlay/MenuItem.tsx';
import { MenuLabel } from '../overlay/MenuLabel.tsx';
import { MenuSeparator } from '../overlay/MenuSeparator.tsx';
import type { ColumnChoice } from './column-choice.ts';
import { isShown, toggleColumn } from './shown-columns.ts';
import { tableCopy } from './copy.ts';
import type { DataColumn } from './data-table.ts';

/** The menu at the end of the toolbar of a table: the `items` of its page, the export, and the columns that can be hidden. */
export function TableMenu<Row>({
  label,
  items,
  columns,
  choice,
  onChoiceChange,
  onDownload,
}: {
  /** The name of the table. */
  label: string;
  items?: ReactNode;
  columns: readonly DataColumn<Row>[];
  /** Undefined for the default columns. */
  choice: ColumnChoice | undefined;
  onChoiceChange?: ((choice: ColumnChoice | undefined) => void) | undefined;
  onDownload?: (() => unknown) | undefined;
}) {
  const { isRunning, start } = useOneRun();
  return (
    <Menu
      label={tableCopy.options(label)}
      trigger={
        <Button variant="quiet" label={tableCopy.options(label)} icon={<Ellipsis size={16} aria-hidden />} />
      }
    >
      {items}
      {onDownload !== undefined && (
        <MenuItem
          icon={<Download size={15} aria-hidden />}
          disabledReason={isRunning ? tableCopy.csvRuns : undefined}
          onSelect={() => start(onDownload)}
        >
          {tableCopy.csv}
        </MenuItem>
      )}
      {onChoiceChange !== undefined && (
        <>
          <MenuSeparator />
          <div role="group" aria-label={tableCopy.columns}>
            <MenuLabel>{tableCopy.columns}</MenuLabel>
            {columns
              .filter(({ byDefault }) => byDefault !== undefined)
              .map((column) => (
                <MenuCheckbox
                  key={column.id}
                  isChecked={isShown(column, choice)}
                  onToggle={() => onChoiceChange(toggleColumn(columns, choice, column.id))}
                >
                  {column.header}
                </MenuCheckbox>
              ))}
          </div>
          {choice !== undefined && (
            <MenuItem onSelect={() => onChoiceChange(undefined)}>{tableCopy.columnsAtFirst}</MenuItem>
          )}
        </>
      )}
    </Menu>
  );
}
