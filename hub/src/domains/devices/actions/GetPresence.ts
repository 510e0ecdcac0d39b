import { ids } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustHaveDeviceAccess } from '../../projects/index.ts';
import { judgePresence } from '../policy/presence-cause.ts';
import { countEndedTogether, readPresenceFacts } from '../sql/presence-facts.ts';

/** Returns whether a device is connected and, if it is not, why. */
export const GetPresence: Handler<'devices_GetPresence'> = {
  authorize: ({ tx, actor, input }) => mustHaveDeviceAccess(tx, actor, input.deviceId),

  async run({ tx, input, now }) {
    const deviceId = ids.device.raw(input.deviceId);
    const facts = await readPresenceFacts(tx, deviceId, now);
    if (facts === undefined) throw notFound('Device');
    return judgePresence(facts, (ended) => countEndedTogether(tx, deviceId, ended), now);
  },
};
