import type { Id } from '@corral/contract';
import { useState } from 'react';
import { terms } from '../../copy/terms.ts';
import { devicesCopy } from './copy.ts';
import { TextField } from '../../ui/form/TextField.tsx';
import { FormDialog } from '../../ui/overlay/FormDialog.tsx';
import type { DialogTarget } from '../../parts/use-dialog-target.ts';
import { deviceName, type ListedDevice } from '../../parts/listed-device.ts';
import { useRenameDevice } from './use-rename-device.ts';

/** Renames a device from the list. */
export function RenameDeviceDialog({
  projectId,
  dialog,
}: {
  projectId: Id<'project'>;
  dialog: DialogTarget<ListedDevice>;
}) {
  const { target: device, isOpen, close } = dialog;
  const [typed, setTyped] = useState<string>();
  const rename = useRenameDevice();
  if (device === undefined) return null;
  const name = typed ?? device.name ?? '';
  return (
    <FormDialog
      open={isOpen}
      onOpenChange={close}
      onReset={() => setTyped(undefined)}
      title={devicesCopy.renameTitle(deviceName(device))}
      size="small"
      submitLabel={terms.save}
      onSubmit={() => {
        close();
        rename({ projectId, deviceId: device.deviceId }, name, device.name);
      }}
    >
      <TextField
        label={terms.name}
        description={devicesCopy.nameHint}
        value={name}
        onValueChange={setTyped}
        autoComplete="off"
        spellCheck={false}
      />
    </FormDialog>
  );
}
