import { type BlockerFn, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { confirm } from '../parts/confirm.ts';
import { isLeavingAskedFirst, topDialog } from '../ui/overlay/open-dialogs.ts';
import { shellCopy } from './copy.ts';

type Navigation = Parameters<BlockerFn>[0];

/** Back closes the open dialog instead of leaving its page; where that shows something for the only time, leaving asks first. */
export function useBackClosesDialogs(): void {
  const router = useRouter();
  useEffect(() => {
    const { history } = router;
    const goOn = ({ action, currentLocation, nextLocation }: Navigation): unknown => {
      if (!isPop(action))
        return router.navigate({
          href: nextLocation.href,
          replace: action === 'REPLACE',
          ignoreBlocker: true,
        });
      const delta = nextLocation.state.__TSR_index - currentLocation.state.__TSR_index;
      return history.go(delta, { ignoreBlocker: true });
    };
    const blockerFn = (navigation: Navigation): boolean => {
      const dialog = topDialog();
      if (dialog === undefined) return false;
      const { action, currentLocation, nextLocation } = navigation;
      const isToOtherPage = currentLocation.pathname !== nextLocation.pathname;
      if (!isPop(action) && !(dialog.isAskedFirst && isToOtherPage)) return false;
      if (!dialog.isAskedFirst) dialog.close();
      else
        void confirm({
          ...shellCopy.leaveSecret,
          action: () => {
            dialog.close();
            goOn(navigation);
          },
        });
      return true;
    };
    return history.block({ blockerFn, enableBeforeUnload: isLeavingAskedFirst });
  }, [router]);
}

const isPop = (action: Navigation['action']): boolean => action !== 'PUSH' && action !== 'REPLACE';
