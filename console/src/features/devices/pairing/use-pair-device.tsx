import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { projectQuery } from '../../../data/queries-projects.ts';
import { useLazyDialog } from '../../../parts/use-lazy-dialog.ts';
import { pairingCopy as words } from './copy.ts';
import type { PairDeviceDialog } from './PairDeviceDialog.tsx';

// Lazy, because few visits of the list pair a device.
async function loadPairDevice() {
  const module = await import('./PairDeviceDialog.tsx');
  return (props: ComponentProps<typeof PairDeviceDialog>) => <module.PairDeviceDialog {...props} />;
}

/** The dialog that pairs a device: its button's label and function, why it is disabled, and the dialog itself. */
export function usePairDevice(projectId: Id<'project'>): {
  readonly label: string;
  readonly open: () => void;
  readonly disabledReason: string | undefined;
  readonly dialog: ReactNode;
} {
  const { data } = useQuery(projectQuery(projectId));
  const dialog = useLazyDialog(loadPairDevice);
  return {
    label: words.open,
    open: dialog.open,
    disabledReason: data?.isOwner === false ? words.ownersOnly : undefined,
    dialog: dialog.render({ projectId }),
  };
}
