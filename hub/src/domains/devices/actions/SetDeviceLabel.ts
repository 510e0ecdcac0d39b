import { ActionError, ids, type Json, labelNameProblem, labelValueProblem } from '@corral/contract';
import { sql } from 'kysely';
import { notFound } from '../../../auth/actors.ts';
import { mustHaveNoProblem } from '../../../auth/input-problems.ts';
import type { Handler } from '../../../calls/handler.ts';
import { overDeviceQuota } from '../../assets/index.ts';
import { mustSeeDevice, type ProjectAccess } from '../../projects/index.ts';
import { lockMetadata, maxMetadataKib, writeMetadata } from '../sql/metadata.ts';

type Label = string | number | boolean;

interface Access extends ProjectAccess {
  readonly name: string;
  readonly value: Label | undefined;
}

/** Sets or removes one label of a device; the other keys of its metadata stay, also when others change them at the same time. */
export const SetDeviceLabel: Handler<'devices_SetDeviceLabel', Access> = {
  async authorize({ tx, actor, input: { deviceId, name, value } }) {
    const access = await mustSeeDevice(tx, actor, deviceId);
    mustHaveNoProblem(labelNameProblem(name));
    if (typeof value === 'string') mustHaveNoProblem(labelValueProblem(value));
    return { ...access, name: name.trim(), value: typeof value === 'string' ? value.trim() : value };
  },

  async run({ tx, input: { deviceId }, emit }, { projectId, name, value }) {
    const device = ids.device.raw(deviceId);
    const found = await lockMetadata(tx, device, name);
    if (found === undefined) throw notFound('Device');
    const before = plain(name, found.before);
    if (before === value) return of({ before });
    if (
      value !== undefined &&
      found.bytes + Buffer.byteLength(JSON.stringify({ [name]: value })) > maxMetadataKib * 1024
    )
      throw new ActionError('Invalid', `The metadata of a device may have at most ${maxMetadataKib} KiB.`);
    const next =
      value === undefined
        ? sql`metadata - ${name}::text`
        : sql`metadata || jsonb_build_object(${name}::text, ${JSON.stringify(value)}::jsonb)`;
    const outcome = await writeMetadata(tx, device, next, 'Person');
    if (outcome === 'Absent') throw notFound('Device');
    if (outcome !== 'Written') throw overDeviceQuota(outcome.quotaBytes);
    const after = value;
    emit('devices_LabelChanged', {
      projectId: ids.project.of(projectId),
      deviceId,
      name,
      ...of({ before, after }),
    });
    return of({ before });
  },
};

/** The value of a label; undefined where there is none. */
function plain(name: string, value: Json): Label | undefined {
  if (value === null) return undefined;
  if (typeof value !== 'object') return value;
  throw new ActionError(
    'Invalid',
    `"${name}" is a list or an object on this device. Change it in the metadata of the device.`,
  );
}

/** The fields that have a value. */
function of<Fields extends object>(fields: Fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Fields]?: NonNullable<Fields[Key]>;
  };
}
