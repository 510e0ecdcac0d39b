import type { Id } from '@corral/contract';
import { useCallback } from 'react';
import { useRun } from '../../data/action-mutation.ts';
import { terms } from '../../copy/terms.ts';
import { confirm } from '../../parts/confirm.ts';
import { deviceLabel, type DeviceNames } from '../../parts/listed-device.ts';
import { devicesCopy } from './copy.ts';
import { deleteDevice } from './mutations.ts';

type DeviceToDelete = DeviceNames & { readonly deviceId: Id<'device'> };

/**
 * A function that deletes a device after its displayed name was typed, or the id of one without a name; resolves to whether it was deleted.
 * `leave` runs before the dialog closes, to leave the page of the device.
 */
export function useDeleteDevice(): (device: DeviceToDelete, leave?: () => Promise<void>) => Promise<boolean> {
  const run = useRun();
  return useCallback(
    ({ deviceId, ...names }, leave) => {
      const name = deviceLabel({ deviceId, ...names });
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
