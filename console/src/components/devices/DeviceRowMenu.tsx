import { Copy, PenLine, Trash2 } from 'lucide-react';
import { enDevices } from '../../copy/en-devices.ts';
import { MenuItem } from '../../ui/overlay/MenuItem.tsx';
import { MenuSeparator } from '../../ui/overlay/MenuSeparator.tsx';
import { useCopy } from '../../ui/text/use-copy.ts';
import type { ListedDevice } from './device-view.ts';

/** The actions on a device in the list. */
export function DeviceRowMenu({
  device,
  onRename,
  onDelete,
}: {
  device: ListedDevice;
  onRename: (device: ListedDevice) => void;
  onDelete: (device: ListedDevice) => void;
}) {
  const { copy } = useCopy(device.deviceId, enDevices.idWhat);
  return (
    <>
      <MenuItem icon={<Copy size={15} aria-hidden />} onSelect={() => void copy()}>
        {enDevices.copyId}
      </MenuItem>
      <MenuItem icon={<PenLine size={15} aria-hidden />} onSelect={() => onRename(device)}>
        {enDevices.rename}
      </MenuItem>
      <MenuSeparator />
      <MenuItem tone="danger" icon={<Trash2 size={15} aria-hidden />} onSelect={() => onDelete(device)}>
        {enDevices.delete}
      </MenuItem>
    </>
  );
}
