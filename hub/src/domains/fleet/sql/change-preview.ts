import { ids, type Json, type Output } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { planEachTime, type Database } from '../../../platform/db/connect.ts';
import type { DeviceChange } from '../../devices/index.ts';
import { changeHash, namedDevice } from './change-selection.ts';
import { isUndoable, needsOwnerFor } from './changes.ts';

const mostInSample = 5;

interface Named {
  readonly id: string;
  readonly name: string | null;
}

interface Row {
  readonly matched: number;
  readonly eligible: number;
  readonly connected: number;
  readonly hash: string;
  readonly excluded:
    | readonly { readonly reason: string; readonly count: number; readonly sample: readonly Named[] }[]
    | null;
  readonly samples: readonly (Named & { readonly before: Json; readonly after: Json })[] | null;
}

/** What a change would do now, from one read. */
export async function readChangePreview(
  tx: Database,
  change: DeviceChange,
  matched: RawBuilder<unknown>,
): Promise<Output<'fleet_PreviewChange'>> {
  const { rows } = await sql<Row>`
    ${sql.raw(planEachTime)}
    with matched as materialized (${matched}),
    excluded as (select reason, count(*) as count from matched where reason is not null group by reason)
    select (select count(*) from matched) as matched, count(*) as eligible, count(*) filter (where e.is_connected) as connected,
      ${changeHash(change)} as hash,
      (select jsonb_agg(jsonb_build_object('reason', x.reason, 'count', x.count, 'sample', (
          select jsonb_agg(jsonb_build_object('id', s.device_id, 'name', s.name)) from (
            select device_id, name from matched where reason = x.reason limit ${sql.lit(mostInSample)}) as s
        )) order by x.count desc, x.reason) from excluded x) as excluded,
      (select jsonb_agg(jsonb_build_object('id', s.device_id, 'name', s.name, 'before', s.before, 'after', s.after)) from (
        select * from matched where reason is null order by name, device_id limit ${sql.lit(mostInSample)}) as s) as samples
    from matched e where e.reason is null`.execute(tx);
  const row = rows[0] as Row;
  return {
    matched: row.matched,
    eligible: row.eligible,
    connected: row.connected,
    excluded: (row.excluded ?? []).map(({ sample, ...rest }) => ({
      ...rest,
      sample: sample.map(namedDevice),
    })),
    samples: (row.samples ?? []).map(({ id, name, before, after }) => ({
      deviceId: ids.device.of(id),
      ...beforeAndAfter({ name, before, after }),
    })),
    needsOwner: needsOwnerFor(change, row.eligible),
    undoable: isUndoable(change),
    previewHash: row.hash,
  };
}

/** What a device is called, has and gets, without what is absent. */
export function beforeAndAfter({
  name,
  before,
  after,
}: {
  readonly name: string | null;
  readonly before: Json;
  readonly after: Json;
}) {
  return {
    ...(name === null ? {} : { deviceName: name }),
    ...(before === null ? {} : { before }),
    ...(after === null ? {} : { after }),
  };
}
