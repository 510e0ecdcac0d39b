import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { jsonWithin } from '../../../calls/sizes.ts';
import { overDeviceQuota } from '../../assets/index.ts';
import { mustHaveDeviceAccess } from '../../projects/index.ts';
import { notFound } from '../../../auth/actors.ts';
import { maxMetadataKib, writeMetadata } from '../sql/metadata.ts';

interface Access {
  readonly projectId: string;
  /** As JSON text. */
  readonly metadata: string;
}

/** Replaces the metadata of a device as a whole; by the device itself, all but what people have set. */
export const SetDeviceMetadata: Handler<'devices_SetDeviceMetadata', Access> = {
  async authorize({ tx, actor, input }) {
    const { projectId } = await mustHaveDeviceAccess(tx, actor, input.deviceId);
    return { projectId, metadata: jsonWithin(maxMetadataKib, 'The metadata of a device', input.metadata) };
  },

  async run({ tx, actor, input, emit }, { projectId, metadata }) {
    const author = actor.actor === 'Device' ? 'Device' : 'Person';
    const device = ids.device.raw(input.deviceId);
    const outcome = (await writeMetadata(tx, [device], sql`${metadata}::jsonb`, author)).get(device);
    if (outcome === undefined) throw notFound('Device');
    if (outcome !== 'Written') throw overDeviceQuota(outcome.quotaBytes);
    emit('devices_MetadataChanged', { projectId: ids.project.of(projectId), deviceId: input.deviceId });
    return {};
  },
};
