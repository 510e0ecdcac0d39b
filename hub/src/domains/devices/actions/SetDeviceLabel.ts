import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeDevice, type ProjectAccess } from '../../projects/index.ts';
import { changeOne, labelOf, setLabels } from '../policy/device-changes.ts';

type Label = string | number | boolean;

interface Access extends ProjectAccess {
  readonly name: string;
  readonly value: Label | undefined;
}

/** Sets or removes one label of a device; the other keys of its metadata stay, also when others change them at the same time. */
export const SetDeviceLabel: Handler<'devices_SetDeviceLabel', Access> = {
  async authorize({ tx, actor, input: { deviceId, name, value } }) {
    const access = await mustSeeDevice(tx, actor, deviceId);
    return { ...access, ...labelOf(name, value) };
  },

  async run({ tx, now, input: { deviceId }, emit }, { projectId, name, value }) {
    const target = { deviceId: ids.device.raw(deviceId), given: value ?? null };
    const { before } = await changeOne(setLabels({ tx, now, emit, projectId }, name, [target]));
    return before === null ? {} : { before: before as Label };
  },
};
