import { ids } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import { addRefusedArrivals, type RefusedDeviceArrivals } from '../sql/refused-arrivals.ts';

/** Records connections that were refused to devices; no effect where no device has the fingerprint. */
export const RecordRefusedArrivals: Internal<readonly RefusedDeviceArrivals[], void> = {
  name: 'devices_RecordRefusedArrivals',
  isOneStatement: () => true,

  async run({ tx, input, now, emit }) {
    for (const { deviceId, projectId } of await addRefusedArrivals(tx, input, now))
      emit('devices_ArrivalRefused', {
        projectId: ids.project.of(projectId),
        deviceId: ids.device.of(deviceId),
      });
  },
};
