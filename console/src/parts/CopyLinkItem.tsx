import { useRouterState } from '@tanstack/react-router';
import { Link2 } from 'lucide-react';
import { MenuItem } from '../ui/overlay/MenuItem.tsx';
import { copyWithToast } from '../ui/text/copy-with-toast.ts';
import { partsCopy } from './copy.ts';

/** An item of a table's menu that copies the URL of the page, including filter and sort order. */
export function CopyLinkItem() {
  const href = useRouterState({ select: ({ location }) => location.href });
  return (
    <MenuItem
      icon={<Link2 size={15} aria-hidden />}
      onSelect={() => void copyWithToast(window.location.origin + href, partsCopy.view.link)}
    >
      {partsCopy.view.copyLink}
    </MenuItem>
  );
}
