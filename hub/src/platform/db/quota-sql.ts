import { deviceQuotas, userQuotas, type DeviceQuota, type UserQuota } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';

const defaults: Readonly<Record<DeviceQuota | UserQuota, number>> = { ...deviceQuotas, ...userQuotas };

/** SQL for a quota of devices or users: as set, else the default. */
export function quotaSql(key: DeviceQuota | UserQuota): RawBuilder<number> {
  return sql<number>`coalesce((select (value #>> '{}')::bigint from instance_settings where key = ${key}), ${defaults[key]})`;
}
