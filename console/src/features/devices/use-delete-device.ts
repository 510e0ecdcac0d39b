import type { Id } from '@corral/contract';
import { useCallback } from 'react';
import { useRun } from '../../data/action-mutation.ts';
import { terms } from '../../copy/terms.ts';
import { confirm } from '../../parts/confirm.ts';
import { deviceLabel } from '../../parts/listed-device.ts';
import { devicesCopy } from './copy.ts';
import { deleteDevice } from './mutations.ts';

/** A device to delete: its id, and its name if it has one. */
type DeviceToDelete = { deviceId: Id<'device'>; name?: string | undefined };

/**
 * A function that deletes a device after its name was typed; whether it was deleted. `leave` runs before the dialog closes, to leave the
 * page of the device.
 */
export function useDeleteDevice(): (device: DeviceToDelete, leave?: () => Promise<void>) => Promise<boolean> {
  const run = useRun();
  return useCallback(
    ({ deviceId, name: ownName }, leave) => {
      const name = deviceLabel({ deviceId, name: ownName });
      return confirm({
        title: devicesCopy.deleteTitle(name),
        text: devicesCopy.deleteText,
        verb: terms.delete,
        typedName: name,
        action: async () => {
          await run(deleteDevice, { deviceId });
          await leave?.();
        },
        done: devicesCopy.deleted(name),
      });
    },
    [run],
  );
}
