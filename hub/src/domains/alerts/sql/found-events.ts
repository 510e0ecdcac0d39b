import type { DeviceEventSeverity } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { deviceLabel } from '../../devices/index.ts';
import type { Sought } from './found-subjects.ts';

/** So long after the last event an alert about events ends. */
export const quietMs = 15 * 60_000;
/** Events happen at most so long before or after they are received: the hub sees to it. */
const mostApartMs = 5 * 60_000;

const ascending: readonly DeviceEventSeverity[] = ['Trace', 'Debug', 'Info', 'Warning', 'Error', 'Critical'];

/** SQL of the devices that have sent events of a severity or above. */
export function foundEvents(
  { now, receivedAfter }: Sought,
  severity: DeviceEventSeverity,
  isWanted: RawBuilder<boolean>,
): RawBuilder<unknown> {
  const after = receivedAfter ?? new Date(now.getTime() - quietMs);
  const severities = ascending.slice(ascending.indexOf(severity));
  return sql`
    select d.device_id as subject, ${deviceLabel} as name, e.since, ${now}::timestamptz as fires_at, e.seen_at
    from devices d join (
      select v.device_id, min(v.received_at) as since, max(v.received_at) as seen_at from device_events v
      where v.severity = any(${severities}::text[]) and v.emitted_at > ${new Date(after.getTime() - mostApartMs)}
        and v.received_at > ${after} and v.received_at <= ${now}
      group by v.device_id
    ) as e using (device_id) where ${isWanted}`;
}
