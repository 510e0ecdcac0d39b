import { Copy } from 'lucide-react';
import { cloneElement } from 'react';
import { useWriteBlock } from '../action/write-block.ts';
import { tableCopy } from './copy.ts';
import { MenuItem } from '../overlay/MenuItem.tsx';
import { MenuSeparator } from '../overlay/MenuSeparator.tsx';
import { copyWithToast } from '../text/copy-with-toast.ts';
import type { RowAction } from './columns.tsx';

/** The items of a row's menu: Copy ID, then the actions, the dangerous ones below a rule. `what` names the id, e.g. "token ID". */
export function RowActionItems({
  id,
  what,
  actions,
}: {
  id: string;
  what: string;
  actions: readonly RowAction[];
}) {
  const blockedReason = useWriteBlock();
  const isDangerous = ({ tone }: RowAction) => tone === 'danger';
  const item = ({ label, icon, tone, disabledReason, isNavigation = false, onSelect }: RowAction) => (
    <MenuItem
      key={label}
      icon={icon && cloneElement(icon, { size: 15 })}
      disabledReason={disabledReason ?? (isNavigation ? undefined : blockedReason)}
      {...{ tone, onSelect }}
    >
      {label}
    </MenuItem>
  );
  return (
    <>
      <MenuItem icon={<Copy size={15} aria-hidden />} onSelect={() => void copyWithToast(id, what)}>
        {tableCopy.copyId}
      </MenuItem>
      {actions.filter((action) => !isDangerous(action)).map(item)}
      {actions.some(isDangerous) && <MenuSeparator />}
      {actions.filter(isDangerous).map(item)}
    </>
  );
}
