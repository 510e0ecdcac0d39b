import type { Id } from '@corral/contract';
import { useMutation } from '@tanstack/react-query';
import { terms } from '../../copy/terms.ts';
import { devicesCopy } from './copy.ts';
import { deleteDevice } from './mutations.ts';
import { AlertDialog } from '../../ui/overlay/AlertDialog.tsx';
import { showToast } from '../../ui/overlay/toast.ts';
import { deviceLabel } from '../../parts/listed-device.ts';

/** Deletes a device after its name was typed. `onDeleted` runs before the dialog closes. */
export function DeleteDeviceDialog({
  projectId,
  device,
  isOpen,
  onClose,
  onDeleted,
}: {
  projectId: Id<'project'>;
  device: { deviceId: Id<'device'>; name?: string | undefined } | undefined;
  isOpen: boolean;
  onClose: () => void;
  onDeleted?: (() => void | Promise<void>) | undefined;
}) {
  const { mutateAsync } = useMutation(deleteDevice);
  if (device === undefined) return null;
  const name = deviceLabel(device);
  async function remove(deviceId: Id<'device'>): Promise<void> {
    await mutateAsync({ projectId, deviceId });
    showToast(devicesCopy.deleted(name), { tone: 'ok' });
    await onDeleted?.();
  }
  return (
    <AlertDialog
      open={isOpen}
      onOpenChange={onClose}
      title={devicesCopy.deleteTitle(name)}
      verb={terms.delete}
      typedName={name}
      onConfirm={() => remove(device.deviceId)}
    >
      {devicesCopy.deleteText}
    </AlertDialog>
  );
}
