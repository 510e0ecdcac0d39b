import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { jsonWithin } from '../../../calls/sizes.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { quotaSql } from '../../../platform/db/quota-sql.ts';
import { overDeviceQuota } from '../../assets/index.ts';
import { mustHaveDeviceAccess } from '../../projects/index.ts';
import { notFound } from '../../../auth/actors.ts';
import { metadataBytes, propertyBytes } from '../sql/device-bytes.ts';
import { lockDevice, type OverQuota } from '../sql/device-properties.ts';

const maxKib = 64;

interface Access {
  readonly projectId: string;
  /** As JSON text. */
  readonly metadata: string;
}

/** Replaces the metadata of a device as a whole. */
export const SetDeviceMetadata: Handler<'devices_SetDeviceMetadata', Access> = {
  async authorize({ tx, actor, input }) {
    const { projectId } = await mustHaveDeviceAccess(tx, actor, input.deviceId);
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

/** The outcome of a write; all but `Written` wrote nothing. */
type MetadataOutcome = 'Written' | 'Absent' | OverQuota;

/** Replaces the metadata of a device, given as JSON text, if it fits the quota of the device beside its properties, or is not larger than before. */
async function writeMetadata(tx: Database, deviceId: string, metadata: string): Promise<MetadataOutcome> {
  await lockDevice(tx, deviceId);
  const { rows } = await sql<{ isWritten: boolean; quotaBytes: number }>`
    with next as materialized (
      select metadata_size(${metadata}::jsonb) as bytes, ${metadataBytes(deviceId)} as bytes_before,
        ${quotaSql('devicePropertyBytes')} as quota
    ), written as (
      update devices set metadata = ${metadata}::jsonb, metadata_bytes = next.bytes from next where device_id = ${deviceId}
        and (next.bytes <= next.bytes_before or next.bytes + ${propertyBytes(deviceId)} <= next.quota)
      returning 1
    )
    select exists (select 1 from written) as "isWritten", quota as "quotaBytes"
    from next where exists (select 1 from devices where device_id = ${deviceId})`.execute(tx);
  const [outcome] = rows;
  if (outcome === undefined) return 'Absent';
  return outcome.isWritten ? 'Written' : { quotaBytes: outcome.quotaBytes };
}
