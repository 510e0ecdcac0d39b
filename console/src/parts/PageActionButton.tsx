import type { ComponentProps } from 'react';
import { Button } from '../ui/action/Button.tsx';
import { useWriteBlock } from '../ui/action/write-block.ts';
import { usePageAction } from './page-actions.ts';

/** A button for an action of the page, which the palette offers too. With `isCreate` the key `c` presses it. */
export function PageActionButton({
  children,
  isCreate = false,
  ...rest
}: Omit<ComponentProps<typeof Button>, 'children' | 'ref'> & { children: string; isCreate?: boolean }) {
  const isBlocked = useWriteBlock() !== undefined && rest.isWrite === true;
  const isOffered = !isBlocked && rest.loading !== true && rest.disabledReason === undefined;
  const element = usePageAction(children, { isCreate, isOffered });
  return (
    <Button {...rest} ref={element} aria-keyshortcuts={isCreate ? 'c' : undefined}>
      {children}
    </Button>
  );
}
