import { ActionError, ids } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { readDeviceFilter } from '../../devices/index.ts';
import type { Definition } from './definition.ts';
import { selectByPredicates, type SelectionError } from './predicates.ts';

/** Where devices are selected, and when. */
export interface Scope {
  /** The raw id of the project. */
  readonly projectId: string;
  readonly now: Date;
  /** The database outside of the transaction. */
  readonly db: Database;
}

/** The devices that a selector finds. */
export interface Selection {
  /** The condition on the statement's `devices d` of the project. */
  readonly passes: RawBuilder<boolean>;
  /** The devices of which a condition could not be decided. */
  readonly errors: readonly SelectionError[];
}

/** Selects devices. Throws an `ActionError` of kind Invalid for a filter with a mistake. */
export async function select(
  tx: Database,
  { deviceIds, query, predicates }: Definition['selector'],
  scope: Scope,
): Promise<Selection> {
  const { projectId } = scope;
  const filter = await readDeviceFilter(tx, query, scope);
  const named =
    deviceIds === undefined ? sql<boolean>`true` : isOneOf(deviceIds.map((id) => ids.device.raw(id)));
  const passes = sql<boolean>`(d.project_id = ${projectId} and ${named} and ${filter?.inSets ?? sql`true`})`;
  if (predicates.length === 0) return { passes, errors: [] };
  const { devices, errors } = await selectByPredicates(tx, passes, predicates);
  return { passes: sql<boolean>`(d.project_id = ${projectId} and ${isOneOf(devices)})`, errors };
}

/** Throws an `ActionError` of kind Invalid unless all devices that a selector names are in the project. */
export async function mustFindDevices(
  tx: Database,
  { deviceIds }: Definition['selector'],
  projectId: string,
): Promise<void> {
  if (deviceIds === undefined) return;
  const named = new Set(deviceIds.map((id) => ids.device.raw(id)));
  const { rows } = await sql<{ count: number; missing: readonly string[] | null }>`
    with named as materialized (select jsonb_array_elements_text(${JSON.stringify([...named])}::jsonb) as device_id),
    missing as materialized (
      select n.device_id from named n where not exists (
        select 1 from devices d where d.project_id = ${projectId} and d.device_id = n.device_id)
    )
    select count(*) as count, (array_agg(device_id order by device_id))[1:${sql.lit(mostNamed)}] as missing from missing`.execute(
    tx,
  );
  const { count = 0, missing } = rows[0] ?? {};
  if (count === 0) return;
  if (named.size === 1) throw new ActionError('Invalid', 'Device not found.');
  const names = (missing ?? []).map((id) => ids.device.of(id)).join(', ');
  const verb = count === 1 ? 'was' : 'were';
  const more = count > mostNamed ? ' and others' : '';
  throw new ActionError(
    'Invalid',
    `Of the ${named.size.toLocaleString('en')} devices ${count.toLocaleString('en')} ${verb} not found: ${names}${more}.`,
  );
}

const mostNamed = 3;

/** As one text: an array of a hundred thousand parameters would hold the event loop. */
function isOneOf(devices: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`(d.device_id in (select jsonb_array_elements_text(${JSON.stringify(devices)}::jsonb)))`;
}
