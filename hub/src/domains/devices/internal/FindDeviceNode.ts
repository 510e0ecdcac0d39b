import { ids, type Id } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import { nodeOfDevice } from '../../instance/index.ts';

/** Returns the node that a device is connected to, for the other nodes, which open channels through it. */
export const FindDeviceNode: Internal<
  { deviceId: Id<'device'> },
  { node?: { name: string; address: string } }
> = {
  name: 'devices_FindDeviceNode',
  isQuery: true,
  async run({ tx, input, now }) {
    const node = await nodeOfDevice(tx, ids.device.raw(input.deviceId), now);
    return node === undefined ? {} : { node };
  },
};
