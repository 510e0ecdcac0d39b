import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { quotaSql } from '../../../platform/db/quota-sql.ts';
import { deviceLabel } from '../../devices/index.ts';
import { readDeviceRoom } from '../../projects/index.ts';

/** What alerts about the number of devices are about. */
const ofDevices = 'devices';

/** SQL of what of a project is used up to this share: its devices, and the events of a device of today. */
export async function foundQuotas(
  tx: Database,
  { projectId, now }: { readonly projectId: string; readonly now: Date },
  percent: number,
): Promise<RawBuilder<unknown>> {
  const { devices, maxDevices } = await readDeviceRoom(tx, projectId);
  const isFull = maxDevices > 0 && devices * 100 >= percent * maxDevices;
  const today = now.toISOString().slice(0, 10);
  const isUsed = (used: RawBuilder<unknown>, quota: RawBuilder<number>) =>
    sql`${used}::bigint * 100 >= ${percent}::int * ${quota}`;
  return sql`
    select ${ofDevices} as subject, 'Devices' as name, ${now}::timestamptz as since, ${now}::timestamptz as fires_at, null::timestamptz as seen_at
    where ${isFull}
    union all
    select d.device_id, ${deviceLabel}, ${now}::timestamptz, ${now}::timestamptz, null::timestamptz
    from device_event_days e join devices d using (device_id)
    where e.day = ${today}::date and d.project_id = ${projectId}
      and (${isUsed(sql`e.events`, quotaSql('deviceEventsPerDay'))} or ${isUsed(sql`e.event_bytes`, quotaSql('deviceEventBytesPerDay'))})`;
}
