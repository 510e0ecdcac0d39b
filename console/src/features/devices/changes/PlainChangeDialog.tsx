import type { Id } from '@corral/contract';
import type { DialogTarget } from '../../../parts/use-dialog-target.ts';
import { ChangeDialog } from './ChangeDialog.tsx';
import type { SelectedDevices } from './changes.ts';
import { changesCopy } from './copy.ts';

/** A change that needs nothing else to be said, and the devices. */
export interface PlainChange {
  readonly kind: 'Accept' | 'Delete';
  readonly devices: SelectedDevices;
}

/** Accepts the certificates of devices, or deletes devices. */
export function PlainChangeDialog({
  projectId,
  dialog: { target, isOpen, close },
}: {
  projectId: Id<'project'>;
  dialog: DialogTarget<PlainChange>;
}) {
  if (target === undefined) return null;
  const { kind, devices } = target;
  const words = kind === 'Delete' ? changesCopy.delete : changesCopy.accept;
  return (
    <ChangeDialog
      key={`${kind} ${devices.query ?? devices.deviceIds?.join()}`}
      {...{ projectId, devices }}
      change={{ kind }}
      title={devices.deviceIds === undefined ? words.titleAll : words.title(devices.deviceIds.length)}
      description={words.text}
      verb={words.verb}
      open={isOpen}
      onClose={close}
    />
  );
}
