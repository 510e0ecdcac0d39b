import type { Id } from '@corral/contract';
import { enOnboarding } from '../../copy/en-devices.ts';
import { Dialog } from '../../ui/overlay/Dialog.tsx';
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
      title={enOnboarding.title}
      description={enOnboarding.dialogText}
      size="large"
    >
      <ConnectDevice projectId={projectId} />
    </Dialog>
  );
}
