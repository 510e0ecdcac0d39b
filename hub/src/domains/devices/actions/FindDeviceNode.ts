import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeHub } from '../../users/index.ts';
import { nodeOfDevice } from '../../instance/index.ts';

/** Returns the node that a device is connected to, for the other nodes, which open channels through it. */
export const FindDeviceNode: Handler<'devices_FindDeviceNode'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, input, now }) {
    const node = await nodeOfDevice(tx, ids.device.raw(input.deviceId), now);
    return node === undefined ? {} : { node };
  },
};
