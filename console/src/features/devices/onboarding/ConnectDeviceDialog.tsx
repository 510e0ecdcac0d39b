import type { Id } from '@corral/contract';
import { useState } from 'react';
import { onboardingCopy } from './copy.ts';
import { Dialog } from '../../../ui/overlay/Dialog.tsx';
import { Button } from '../../../ui/action/Button.tsx';
import { uiCopy } from '../../../ui/copy.ts';
import { ConnectDevice, type TokenState } from './ConnectDevice.tsx';

/** Connects another device from a dialog; closing it discards the token, so that it is guarded from when one is created. */
export function ConnectDeviceDialog({
  projectId,
  open,
  onOpenChange,
}: {
  projectId: Id<'project'>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const [token, setToken] = useState<TokenState>('none');
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => {
        setToken('none');
        onOpenChange(isOpen);
      }}
      guarded={token !== 'none'}
      footer={token === 'creating' ? <Button loading>{uiCopy.dialog.close}</Button> : undefined}
      title={onboardingCopy.title}
      description={onboardingCopy.dialogText}
      size="large"
    >
      <ConnectDevice projectId={projectId} onToken={setToken} />
    </Dialog>
  );
}
