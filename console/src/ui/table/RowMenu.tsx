import { Ellipsis } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { tableCopy } from './copy.ts';
import { buttonClass } from '../action/button-class.ts';
import { Menu } from '../overlay/Menu.tsx';

/** The menu of one row, named by `name`; a plain button until it is first opened, because there may be thousands. */
export function RowMenu({ name, children }: { name: string; children: () => ReactNode }) {
  const [wasOpened, setWasOpened] = useState(false);
  const buttonProps = {
    type: 'button',
    'aria-label': tableCopy.rowActions(name),
    className: buttonClass('quiet', 'small', true),
    children: <Ellipsis size={16} aria-hidden />,
  } as const;
  if (!wasOpened)
    return (
      <button
        {...buttonProps}
        aria-haspopup="menu"
        aria-expanded={false}
        onClick={() => setWasOpened(true)}
      />
    );
  return (
    <Menu trigger={<button {...buttonProps} />} isOpenAtFirst>
      {children()}
    </Menu>
  );
}
