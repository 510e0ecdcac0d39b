import { Columns3 } from 'lucide-react';
import { tableCopy } from './copy.ts';
import { Menu } from '../overlay/Menu.tsx';
import { MenuCheckbox } from '../overlay/MenuCheckbox.tsx';
import { MenuItem } from '../overlay/MenuItem.tsx';
import { MenuSeparator } from '../overlay/MenuSeparator.tsx';
import { type ColumnChoice, isShown, toggleColumn } from './column-choice.ts';
import type { DataColumn } from './data-table.ts';
import { ToolbarButton } from './ToolbarButton.tsx';

/** A menu that shows and hides columns of a table; `choice` is undefined for the default columns. */
export function ColumnPicker<Row>({
  columns,
  choice,
  onChoiceChange,
}: {
  columns: readonly DataColumn<Row>[];
  choice: ColumnChoice | undefined;
  onChoiceChange: (choice: ColumnChoice | undefined) => void;
}) {
  return (
    <Menu
      label={tableCopy.columns}
      trigger={<ToolbarButton label={tableCopy.columns} icon={<Columns3 size={15} aria-hidden />} />}
    >
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
      {choice !== undefined && (
        <>
          <MenuSeparator />
          <MenuItem onSelect={() => onChoiceChange(undefined)}>{tableCopy.columnsAtFirst}</MenuItem>
        </>
      )}
    </Menu>
  );
}
