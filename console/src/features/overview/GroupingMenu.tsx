import { ChevronDown } from 'lucide-react';
import { Button } from '../../ui/action/Button.tsx';
import { Menu } from '../../ui/overlay/Menu.tsx';
import { MenuChoice } from '../../ui/overlay/MenuChoice.tsx';
import { MenuSeparator } from '../../ui/overlay/MenuSeparator.tsx';
import { overviewCopy } from './copy.ts';

/** Chooses the label by which the dots are grouped; an empty one is none. */
export function GroupingMenu({
  groupBy,
  labels,
  onGroupBy,
}: {
  groupBy: string;
  /** Those that group devices. */
  labels: readonly string[];
  onGroupBy: (label: string) => void;
}) {
  const choices = groupBy === '' || labels.includes(groupBy) ? labels : [groupBy, ...labels];
  const name = groupBy === '' ? overviewCopy.noGrouping : overviewCopy.groupedBy(groupBy);
  return (
    <Menu
      label={overviewCopy.groupBy}
      trigger={
        <Button size="small" variant="quiet" iconEnd={<ChevronDown size={14} aria-hidden />}>
          <span className="max-w-44 truncate">{name}</span>
        </Button>
      }
    >
      {choices.map((label) => (
        <MenuChoice key={label} closes isChosen={label === groupBy} onSelect={() => onGroupBy(label)}>
          {label}
        </MenuChoice>
      ))}
      {choices.length > 0 && <MenuSeparator />}
      <MenuChoice closes isChosen={groupBy === ''} onSelect={() => onGroupBy('')}>
        {overviewCopy.noGrouping}
      </MenuChoice>
    </Menu>
  );
}
