import type { Id } from '@corral/contract';
import { type ComponentProps, useEffect, useSyncExternalStore } from 'react';
import { endStepUp, isStepUpWanted, subscribeToStepUps } from '../../data/step-up.ts';
import { useLazyModule } from '../../parts/use-lazy-module.ts';

const loadDialog = async () => {
  const { StepUpDialog } = await import('./StepUpDialog.tsx');
  return (props: ComponentProps<typeof StepUpDialog>) => <StepUpDialog {...props} />;
};

/** Asks who the user is when the hub wants to know; the calls that wait go on then. The guard renders it once. */
export function StepUpHost({ userId }: { userId: Id<'user'> }) {
  const isWanted = useSyncExternalStore(subscribeToStepUps, isStepUpWanted);
  const render = useLazyModule(loadDialog, isWanted, { reportsFailure: true });
  useEffect(() => () => endStepUp(false), []);
  return render?.({ userId, open: isWanted, onEnd: endStepUp });
}
