import { Ellipsis } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { en } from '../../copy/en.ts';
import { buttonClass } from '../action/button-class.ts';
import { Menu } from '../overlay/Menu.tsx';

/**
 * The menu of one row. `name` says which row, for those who do not see it. It is a mere button until it is first opened,
 * because there may be one in each of thousands of rows.
 */
export function RowMenu({ name, children }: { name: string; children: () => ReactNode }) {
  const [isWanted, setIsWanted] = useState(false);
  const look = {
    type: 'button',
    'aria-label': en.table.rowActions(name),
    className: buttonClass('quiet', 'small', true),
    children: <Ellipsis size={16} aria-hidden />,
  } as const;
  if (!isWanted)
    return <button {...look} aria-haspopup="menu" aria-expanded={false} onClick={() => setIsWanted(true)} />;
  return (
    <Menu trigger={<button {...look} />} isOpenAtFirst>
      {children()}
    </Menu>
  );
}
