import { type BlockerFn, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { confirm } from '../parts/confirm.ts';
import { isLeavingAskedFirst, type OpenDialog, topDialog } from '../ui/overlay/open-dialogs.ts';
import { shellCopy } from './copy.ts';

type Router = ReturnType<typeof useRouter>;

/** Back closes the open dialog instead of leaving its page; where that shows something for the only time, leaving asks first. */
export function useBackClosesDialogs(): void {
  const router = useRouter();
  useEffect(() => {
    const onStep = stepBlocker(router.history);
    const blockerFn: BlockerFn = (navigation) => {
      const { action, currentLocation, nextLocation } = navigation;
      if (action !== 'PUSH' && action !== 'REPLACE') return onStep(navigation);
      const dialog = topDialog();
      if (dialog?.isAskedFirst !== true || currentLocation.pathname === nextLocation.pathname) return false;
      const { href } = nextLocation;
      closeOrAsk(dialog, () => router.navigate({ href, replace: action === 'REPLACE', ignoreBlocker: true }));
      return true;
    };
    return router.history.block({ blockerFn, enableBeforeUnload: isLeavingAskedFirst });
  }, [router]);
}

function closeOrAsk(dialog: OpenDialog, leave: () => unknown): void {
  if (!dialog.isAskedFirst) return dialog.close();
  const action = (): void => {
    dialog.close();
    leave();
  };
  void confirm({ ...shellCopy.leaveSecret, action });
}

/**
 * While a dialog is open, returns to its entry after each step through the history, and closes the dialog for that step. It does so itself,
 * and never answers: the router, told that a step is blocked, takes a second Back, pressed before it has returned, for its return.
 */
function stepBlocker(history: Router['history']): BlockerFn {
  const unanswered = new Promise<boolean>(() => undefined);
  // How far the page is from the entry of the dialog; 0 while it is there.
  let away = 0;
  let leave: (() => void) | undefined;
  return ({ currentLocation, nextLocation }) => {
    const steps = nextLocation.state.__TSR_index - currentLocation.state.__TSR_index;
    const dialog = topDialog();
    const isPressed = away === 0 || steps / away >= 1;
    away = isPressed && dialog === undefined ? 0 : steps;
    if (isPressed && dialog === undefined) return false;
    if (steps === 0) leave?.();
    else window.history.go(-steps);
    if (isPressed && dialog !== undefined)
      closeOrAsk(dialog, () => {
        leave = () => {
          leave = undefined;
          history.go(steps, { ignoreBlocker: true });
        };
        if (away === 0) leave();
      });
    return unanswered;
  };
}
