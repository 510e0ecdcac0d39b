import { tableCopy } from './copy.ts';
import { CheckboxInput } from '../form/CheckboxInput.tsx';

/** The checkbox that selects a row; with Shift, all rows from the one before. */
export function SelectBox({
  name,
  index,
  isSelected,
  onToggle,
}: {
  /** The name of the row. */
  name: string;
  index: number;
  isSelected: boolean;
  onToggle: (index: number, isRange: boolean) => void;
}) {
  return (
    <Box>
      <CheckboxInput
        aria-label={tableCopy.selectRow(name)}
        checked={isSelected}
        // A Shift-click would select text.
        onMouseDown={(event) => event.shiftKey && event.preventDefault()}
        onChange={({ nativeEvent }) => onToggle(index, (nativeEvent as MouseEvent).shiftKey)}
      />
    </Box>
  );
}

/** The checkbox that selects all rows that are shown, or none. */
export function SelectAllBox({
  selected,
  total,
  onToggle,
}: {
  selected: number;
  total: number;
  onToggle: (isSelected: boolean) => void;
}) {
  return (
    <Box>
      <CheckboxInput
        aria-label={tableCopy.selectAll(total)}
        checked={selected === total}
        isMixed={selected > 0 && selected < total}
        onChange={({ target }) => onToggle(target.checked)}
      />
    </Box>
  );
}

function Box({ children }: { children: React.ReactNode }) {
  return (
    <label className="inline-flex min-h-6 min-w-6 cursor-pointer items-center justify-center align-middle pointer-coarse:min-h-11 pointer-coarse:min-w-11">
      <span className="relative inline-flex size-4.5 shrink-0 items-center justify-center">{children}</span>
    </label>
  );
}
