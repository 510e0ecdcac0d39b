import type { Id } from '@corral/contract';
import type { Deletion } from '../../parts/deletion.tsx';
import { deviceLabel, type DeviceNames } from '../../parts/listed-device.ts';
import { devicesCopy } from './copy.ts';
import { deleteDevice } from './mutations.ts';

/** What deleting a device takes. */
export type DeviceToDelete = DeviceNames & { readonly deviceId: Id<'device'> };

/** Deletes devices; the displayed name is typed first, or the id of one without a name. */
export const deletion: Deletion<DeviceToDelete> = {
  kind: 'device',
  keyOf: ({ deviceId }) => deviceId,
  nameOf: deviceLabel,
  text: () => devicesCopy.deleteText,
  isTyped: true,
  perform: (run, { deviceId }) => run(deleteDevice, { deviceId }),
};
