import { Copy } from 'lucide-react';
import { cloneElement } from 'react';
import { uiCopy } from '../copy.ts';
import { MenuItem } from '../overlay/MenuItem.tsx';
import { MenuSeparator } from '../overlay/MenuSeparator.tsx';
import { useCopy } from '../text/use-copy.ts';
import type { RowAction } from './columns.tsx';
import { RowMenu } from './RowMenu.tsx';

/** The menu of a row: Copy ID, then its actions, the dangerous ones below a rule. */
export function RowActionMenu({
  id,
  name,
  what,
  actions,
}: {
  id: string;
  name: string;
  /** The id by name, e.g. "token ID". */
  what: string;
  actions: () => readonly RowAction[];
}) {
  return <RowMenu name={name}>{() => <Items id={id} what={what} actions={actions()} />}</RowMenu>;
}

function Items({ id, what, actions }: { id: string; what: string; actions: readonly RowAction[] }) {
  const { copy } = useCopy(id, what);
  const isDangerous = ({ tone }: RowAction) => tone === 'danger';
  const item = ({ label, icon, tone, disabledReason, onSelect }: RowAction) => (
    <MenuItem
      key={label}
      icon={icon && cloneElement(icon, { size: 15 })}
      {...{ tone, disabledReason, onSelect }}
    >
      {label}
    </MenuItem>
  );
  return (
    <>
      <MenuItem icon={<Copy size={15} aria-hidden />} onSelect={() => void copy()}>
        {uiCopy.table.copyId}
      </MenuItem>
      {actions.filter((action) => !isDangerous(action)).map(item)}
      {actions.some(isDangerous) && <MenuSeparator />}
      {actions.filter(isDangerous).map(item)}
    </>
  );
}
