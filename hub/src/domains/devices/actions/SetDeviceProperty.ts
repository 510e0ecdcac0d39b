import { ActionError, characterCount, ids, maxNameCharacters } from '@corral/contract';
import { Refusal } from '../../../calls/failures.ts';
import type { Handler, HandlerContext } from '../../../calls/handler.ts';
import { forbidden } from '../../../auth/actors.ts';
import { mustHaveDeviceAccess } from '../../projects/index.ts';
import { overDeviceQuota } from '../../assets/index.ts';
import { jsonWithin } from '../../../calls/sizes.ts';
import { isAnnouncement, takeAnnouncement } from '../policy/certificate-rotation.ts';
import { setProperty } from '../policy/property-writes.ts';
import type { PropertyChange } from '../sql/device-properties.ts';
import { commandsProperty } from '../sql/known-properties.ts';
import { amounts } from '../../../limits/amounts.ts';

const maxKib = 256;
/** The maximum size of the commands that an agent offers, with their schemas. */
const maxCommandsKib = 4096;

type Context = HandlerContext<'devices_SetDeviceProperty'>;

interface Access {
  readonly projectId: string;
  readonly change: PropertyChange;
}

/** Sets a property; only users decide whether the device may set it. */
export const SetDeviceProperty: Handler<'devices_SetDeviceProperty', Access> = {
  async authorize(context) {
    const { projectId } = await mustHaveDeviceAccess(context.tx, context.actor, context.input.deviceId);
    return { projectId, change: changeOf(context) };
  },

  async run(context, { projectId, change }) {
    const refused = isAnnouncement(change)
      ? await takeAnnouncement(context, { projectId, deviceId: change.deviceId })
      : undefined;
    if (refused !== undefined) return new Refusal(refused);
    const outcome = await setProperty(context, { ...change, projectId }, context.input.expectedVersion);
    if (outcome === 'Protected') throw forbidden('This property is protected: the device may only read it.');
    if (outcome === 'Full')
      throw new ActionError('Invalid', `A device may have at most ${amounts.properties.max} properties.`);
    if (typeof outcome === 'object' && 'quotaBytes' in outcome) throw overDeviceQuota(outcome.quotaBytes);
    if (outcome === 'Absent') return { result: 'Deleted' };
    return outcome === 'Written' ? { result: 'Set' } : { result: 'VersionConflict', ...outcome };
  },
};

function changeOf({ actor, input }: Context): PropertyChange {
  const byDevice = actor.actor === 'Device';
  if (input.name === '' || characterCount(input.name) > maxNameCharacters)
    throw new ActionError('Invalid', `The name of a property has 1 to ${maxNameCharacters} characters.`);
  if (byDevice && input.protected === true)
    throw forbidden('Only users may protect a property; the device itself may not.');
  const limitKib = input.name === commandsProperty ? maxCommandsKib : maxKib;
  return {
    deviceId: ids.device.raw(input.deviceId),
    name: input.name,
    value: jsonWithin(limitKib, 'The value of a property', input.value),
    isProtected: input.protected,
    byDevice,
    actor,
  };
}
