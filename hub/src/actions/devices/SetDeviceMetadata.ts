import { ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { notFound } from '../../policy/actors.ts';
import { requireDeviceAccess } from '../../policy/projects.ts';
import { overDeviceQuota } from '../../policy/quotas.ts';
import { jsonWithin } from '../../policy/sizes.ts';
import { writeMetadata } from '../../store/device-metadata.ts';

const maxKib = 64;

interface Access {
  readonly projectId: string;
  /** As JSON text. */
  readonly metadata: string;
}

/** Replaces the metadata of a device as a whole. */
export const SetDeviceMetadata: Handler<'devices_SetDeviceMetadata', Access> = {
  async authorize({ tx, actor, input }) {
    const { projectId } = await requireDeviceAccess(tx, actor, input.deviceId);
    return { projectId, metadata: jsonWithin(maxKib, 'The metadata of a device', input.metadata) };
  },

  async run({ tx, input, emit }, { projectId, metadata }) {
    const outcome = await writeMetadata(tx, ids.device.raw(input.deviceId), metadata);
    if (outcome === 'Absent') throw notFound('Device');
    if (outcome !== 'Written') throw overDeviceQuota(outcome.quotaBytes);
    emit('devices_MetadataChanged', { projectId: ids.project.of(projectId), deviceId: input.deviceId });
    return {};
  },
};
