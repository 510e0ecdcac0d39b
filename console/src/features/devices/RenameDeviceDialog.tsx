import { object, string } from 'valibot';
import { terms } from '../../copy/terms.ts';
import type { ListedDevice } from '../../parts/listed-device.ts';
import { deviceName } from '../../parts/listed-device.ts';
import type { DialogTarget } from '../../parts/use-dialog-target.ts';
import { FieldsDialog } from '../../ui/form/FieldsDialog.tsx';
import { devicesCopy } from './copy.ts';
import { useRenameDevice } from './use-rename-device.ts';

/** Renames a device from the list. */
export function RenameDeviceDialog({
  dialog: { target: device, isOpen, close },
}: {
  dialog: DialogTarget<ListedDevice>;
}) {
  const rename = useRenameDevice();
  if (device === undefined) return null;
  return (
    <FieldsDialog
      key={device.deviceId}
      open={isOpen}
      onOpenChange={close}
      title={devicesCopy.renameTitle(deviceName(device))}
      size="small"
      submitLabel={terms.save}
      fields={{
        name: {
          label: terms.name,
          hint: devicesCopy.nameHint,
          initial: device.name ?? '',
          placeholder: device.hostname,
          spellCheck: false,
        },
      }}
      schema={object({ name: string() })}
      onSubmit={({ name }) => rename(device.deviceId, name, device.name)}
    />
  );
}
