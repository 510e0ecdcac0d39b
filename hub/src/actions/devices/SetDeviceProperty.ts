import { isDeepStrictEqual } from 'node:util';
import { ActionError, characterCount, ids, maxNameCharacters } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { forbidden } from '../../policy/actors.ts';
import { requireDeviceAccess } from '../../policy/projects.ts';
import { overDeviceQuota } from '../../policy/quotas.ts';
import { jsonWithin } from '../../policy/sizes.ts';
import { readListedFields, writeProperty, writePropertyVersion } from '../../store/device-properties.ts';
import { commandsProperty } from '../../store/known-properties.ts';

const maxProperties = 500;
const maxKib = 256;
/** The maximum size of the commands that an agent offers, with their schemas. */
const maxCommandsKib = 4096;

/** Sets a property; only users decide whether the device may set it. */
export const SetDeviceProperty: Handler<'devices_SetDeviceProperty', { readonly projectId: string }> = {
  authorize: ({ tx, actor, input }) => requireDeviceAccess(tx, actor, input.deviceId),

  async run({ tx, actor, input, now, emit }, { projectId }) {
    const byDevice = actor.actor === 'Device';
    if (input.name === '' || characterCount(input.name) > maxNameCharacters)
      throw new ActionError('Invalid', `The name of a property has 1 to ${maxNameCharacters} characters.`);
    if (byDevice && input.protected === true)
      throw forbidden('Only users may protect a property; the device itself may not.');
    const change = {
      deviceId: ids.device.raw(input.deviceId),
      name: input.name,
      value: jsonWithin(
        input.name === commandsProperty ? maxCommandsKib : maxKib,
        'The value of a property',
        input.value,
      ),
      isProtected: input.protected,
      byDevice,
    };
    const listedBefore = await readListedFields(tx, change.deviceId, change.name);
    const outcome =
      input.expectedVersion === undefined
        ? await writeProperty(tx, change, maxProperties, now)
        : await writePropertyVersion(tx, change, input.expectedVersion, now);
    if (outcome === 'Protected') throw forbidden('This property is protected: the device may only read it.');
    if (outcome === 'Full')
      throw new ActionError('Invalid', `A device may have at most ${maxProperties} properties.`);
    if (typeof outcome === 'object' && 'quotaBytes' in outcome) throw overDeviceQuota(outcome.quotaBytes);
    if (outcome === 'Absent') return { result: 'Deleted' };
    if (outcome !== 'Written') return { result: 'VersionConflict', ...outcome };
    const { deviceId, name } = input;
    emit('devices_PropertiesChanged', { projectId: ids.project.of(projectId), deviceId, name });
    if (!isDeepStrictEqual(listedBefore, await readListedFields(tx, change.deviceId, change.name)))
      emit('devices_ListedFieldsChanged', { projectId: ids.project.of(projectId), deviceId });
    return { result: 'Set' };
  },
};
