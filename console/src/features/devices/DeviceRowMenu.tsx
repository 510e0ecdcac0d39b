import { Copy, PenLine, Trash2 } from 'lucide-react';
import { terms } from '../../copy/terms.ts';
import { devicesCopy } from './copy.ts';
import { MenuItem } from '../../ui/overlay/MenuItem.tsx';
import { MenuSeparator } from '../../ui/overlay/MenuSeparator.tsx';
import { useCopy } from '../../ui/text/use-copy.ts';
import type { ListedDevice } from '../../parts/listed-device.ts';

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
  const { copy } = useCopy(device.deviceId, terms.ids.device);
  return (
    <>
      <MenuItem icon={<Copy size={15} aria-hidden />} onSelect={() => void copy()}>
        {devicesCopy.copyId}
      </MenuItem>
      <MenuItem icon={<PenLine size={15} aria-hidden />} onSelect={() => onRename(device)}>
        {devicesCopy.rename}
      </MenuItem>
      <MenuSeparator />
      <MenuItem tone="danger" icon={<Trash2 size={15} aria-hidden />} onSelect={() => onDelete(device)}>
        {terms.delete}
      </MenuItem>
    </>
  );
}
