import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { newIdSql } from '../../../platform/db/new-id-sql.ts';
import type { Stage } from './definition.ts';
import type { SelectionError } from './predicates.ts';

/** An operation whose devices are enrolled. */
export interface Enrolled {
  /** The raw id. */
  readonly operationId: string;
  readonly projectId: string;
  readonly name: string;
  readonly stepCount: number;
  readonly now: Date;
}

/**
 * Enrols the devices of a stage each in one statement, as SQL selects them by `device_id`, in an order of chance that stays: by a hash of operation and device. Returns how many.
 */
export async function enrolDevices(
  tx: Database,
  operation: Enrolled,
  stages: readonly Stage[],
  devices: RawBuilder<unknown>,
): Promise<number> {
  const { operationId } = operation;
  const given = stages.map(({ percentage = 100 }, index) => ({ index, percentage }));
  const { rows } = await sql<{ devices: number }>`
    with chosen as materialized (${devices}),
    ranked as materialized (
      select device_id, row_number() over (order by md5(${operationId} || device_id), device_id) as rank from chosen
    ),
    covered as materialized (
      select s.index, least(n.n, greatest(1, (n.n * s.percentage + 99) / 100)) as covered
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as s(index integer, percentage bigint), (select count(*) as n from ranked) as n
    ),
    placed as materialized (
      select r.device_id, (select min(c.index) from covered c where c.covered >= r.rank) as stage_index from ranked r
    ),
    enrolled as (
      ${insertSql(operation, sql`select p.device_id, p.stage_index, null::timestamptz as released_at from placed p where p.stage_index is not null`)}
    ),
    staged as (
      insert into fleet_operation_stages (fleet_operation_id, stage_index, devices)
      select ${operationId}, c.index, (select count(*) from placed p where p.stage_index = c.index) from covered c
      returning devices
    )
    select coalesce(sum(devices), 0)::bigint as devices from staged`.execute(tx);
  return rows[0]?.devices ?? 0;
}

/** SQL of the part of a hundred in which a device of a statement's `c` is; at the start the devices are in the same order. */
const placeOf = (operationId: string) =>
  sql`('x' || left(md5(${operationId} || c.device_id), 8))::bit(32)::bigint * 100 / 4294967296`;

/**
 * Enrols devices that join later, given by raw id as a JSON array, unless they are enrolled: each in the first stage whose percentage is above its place, or in none. Those in open
 * stages may begin. Returns how many joined.
 */
export async function enrolLateDevices(
  tx: Database,
  operation: Enrolled,
  stages: readonly Stage[],
  devices: string,
): Promise<number> {
  const { operationId, now } = operation;
  const given = stages.map(({ percentage = 100 }, index) => ({ index, percentage }));
  const { rows } = await sql<{ devices: number }>`
    with placed as materialized (
      select c.device_id, (
        select min(s.index) from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as s(index integer, percentage bigint)
        where s.percentage > ${placeOf(operationId)}) as stage_index
      from jsonb_array_elements_text(${devices}::jsonb) as c(device_id) join devices d using (device_id)
      where not exists (
        select 1 from device_operations o where o.fleet_operation_id = ${operationId} and o.device_id = c.device_id)
    ), joined as materialized (
      select p.device_id, p.stage_index, case when s.opened_at is not null then ${now}::timestamptz end as released_at
      from placed p join fleet_operation_stages s on s.fleet_operation_id = ${operationId} and s.stage_index = p.stage_index
    ), enrolled as (
      ${insertSql(operation, sql`select device_id, stage_index, released_at from joined`)}
    ), staged as (
      update fleet_operation_stages s set devices = s.devices + j.devices
      from (select stage_index, count(*) as devices from joined group by stage_index) as j
      where s.fleet_operation_id = ${operationId} and s.stage_index = j.stage_index returning j.devices
    )
    select coalesce(sum(devices), 0)::bigint as devices from staged`.execute(tx);
  return rows[0]?.devices ?? 0;
}

function insertSql({ operationId, projectId, name, stepCount, now }: Enrolled, from: RawBuilder<unknown>) {
  return sql`
    insert into device_operations (device_operation_id, project_id, device_id, fleet_operation_id, name, step_count,
      stage_index, created_at, released_at, updated_at)
    select ${newIdSql}, ${projectId}, n.device_id, ${operationId}, ${name}, ${stepCount}::integer, n.stage_index, ${now}::timestamptz,
      n.released_at, ${now}::timestamptz
    from (${from}) as n`;
}

/** Keeps which devices could not be selected, instead of those of the last selection. */
export async function keepSelectionErrors(
  tx: Database,
  operationId: string,
  errors: readonly SelectionError[],
  now: Date,
): Promise<void> {
  await sql`delete from fleet_selection_errors where fleet_operation_id = ${operationId}`.execute(tx);
  if (errors.length === 0) return;
  await sql`
    insert into fleet_selection_errors (fleet_operation_id, device_id, error, updated_at)
    select ${operationId}, e."deviceId", left(e.error, 1000), ${now}
    from jsonb_to_recordset(${JSON.stringify(errors)}::jsonb) as e("deviceId" text, error text)
    join devices d on d.device_id = e."deviceId"`.execute(tx);
}
