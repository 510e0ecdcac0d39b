import { sql, type RawBuilder } from 'kysely';

/** SQL, for `from`, of the alerts `a` about a device, by its raw id, that have fired, with their rules `r`: those of the project in which it is. */
export function firedOfDevice(deviceId: string): RawBuilder<unknown> {
  return sql`alerts a join alert_rules r using (rule_id) where a.subject = ${deviceId} and a.fired_at is not null
    and r.project_id = (select d.project_id from devices d where d.device_id = ${deviceId})`;
}
