import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

/** Devices that one step looks at. */
const devicesAtOnce = 1_000;
/** Events that one step deletes, which takes about a tenth of a second. */
const eventsAtOnce = 10_000;

/** What a step has done, and whether there is more to do. */
export interface EventDeletionStep {
  readonly deletedEvents: number;
  readonly isComplete: boolean;
}

/** Deletes some of the events of deleted devices, in one statement. Concurrent steps take other devices. */
export async function deleteSomeEventsOfDeletedDevices(db: Database): Promise<EventDeletionStep> {
  const { rows } = await sql<{ devices: number; events: number; finished: number }>`
    with next as materialized (
      select device_id from deleted_devices order by device_id limit ${devicesAtOnce} for update skip locked
    ), doomed as materialized (
      select e.device_id, e.event_id, e.event_month from next cross join lateral (
        select * from device_events where device_id = next.device_id limit ${eventsAtOnce}
      ) as e limit ${eventsAtOnce}
    ), deleted as (
      delete from device_events e using doomed d
      where e.device_id = d.device_id and e.event_id = d.event_id and e.event_month = d.event_month
    ), finished as (
      delete from deleted_devices where device_id in (select device_id from next)
        and (select count(*) from doomed) < ${eventsAtOnce} returning 1
    )
    select (select count(*) from next) as devices, (select count(*) from doomed) as events,
      (select count(*) from finished) as finished`.execute(db);
  const { devices = 0, events = 0, finished = 0 } = rows[0] ?? {};
  return { deletedEvents: events, isComplete: finished === devices && devices < devicesAtOnce };
}
