import type { Id } from '@corral/contract';
import { useState } from 'react';
import { onboardingCopy } from './copy.ts';
import { Dialog } from '../../../ui/overlay/Dialog.tsx';
import { ConnectDevice } from './ConnectDevice.tsx';

/** Connects another device from a dialog; closing it discards the shown token, so that it is guarded from when there is one. */
export function ConnectDeviceDialog({
  projectId,
  open,
  onOpenChange,
}: {
  projectId: Id<'project'>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const [hasToken, setHasToken] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => {
        setHasToken(false);
        onOpenChange(isOpen);
      }}
      guarded={hasToken}
      title={onboardingCopy.title}
      description={onboardingCopy.dialogText}
      size="large"
    >
      <ConnectDevice projectId={projectId} onToken={() => setHasToken(true)} />
    </Dialog>
  );
}
