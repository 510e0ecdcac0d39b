import type { Id } from '@corral/contract';
import { onboardingCopy } from './copy.ts';
import { Dialog } from '../../../ui/overlay/Dialog.tsx';
import { ConnectDevice } from './ConnectDevice.tsx';

/** Connects another device from a dialog; closing it discards the shown token. */
export function ConnectDeviceDialog({
  projectId,
  open,
  onOpenChange,
}: {
  projectId: Id<'project'>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={onboardingCopy.title}
      description={onboardingCopy.dialogText}
      size="large"
    >
      <ConnectDevice projectId={projectId} />
    </Dialog>
  );
}
