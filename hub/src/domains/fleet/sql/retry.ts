import { ids, type Input } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { amounts } from '../../../limits/amounts.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { newIdSql } from '../../../platform/db/new-id-sql.ts';
import { failureText } from './failure-texts.ts';

type Given = Input<'fleet_RetryOperation'>;
type Which = Given['which'][number];

const conditions: Readonly<Record<Which, RawBuilder<boolean>>> = {
  Failed: sql<boolean>`o.status = 'Failed'`,
  TimedOut: sql<boolean>`o.status = 'TimedOut'`,
  Interrupted: sql<boolean>`o.outcome in ('Interrupted', 'Unknown')`,
  Cancelled: sql<boolean>`o.status = 'Cancelled'`,
};

/** The condition that the statement's device operation `o` is to be tried again. */
function isRetried({ which, deviceIds, group }: Given): RawBuilder<boolean> {
  const isOne = sql<boolean>`(${sql.join(
    which.map((one) => conditions[one]),
    sql` or `,
  )})`;
  const isNamed =
    deviceIds === undefined
      ? sql`true`
      : sql`o.device_id = any(${deviceIds.map((id) => ids.device.raw(id))}::text[])`;
  const isInGroup =
    group === undefined
      ? sql`true`
      : sql`(o.status = ${group.status} and o.step_index = ${group.stepIndex}::bigint and ${failureText} = ${group.text})`;
  return sql<boolean>`(${isOne} and ${isNamed} and ${isInGroup} and o.attempt < ${sql.lit(amounts.attempts.max)})`;
}

/** Makes further attempts of an operation that is locked together with its stages; those of open stages may begin. The failures that are tried again count in no budget any more. Returns the number of devices. */
export async function retryDevices(
  tx: Database,
  operationId: string,
  activeStage: number,
  given: Given,
  now: Date,
): Promise<number> {
  const { rows } = await sql<{ devices: number }>`
    with picked as materialized (
      select o.device_operation_id, o.stage_index, o.counts_as_failure
      from device_operations o join devices d using (device_id)
      where o.fleet_operation_id = ${operationId} and o.is_latest and ${isRetried(given)} for update of o skip locked
    ), before as (
      update device_operations o set is_latest = false from picked p where o.device_operation_id = p.device_operation_id returning o.*
    ), again as (
      insert into device_operations (device_operation_id, project_id, device_id, fleet_operation_id, name, description, steps, step_count, installs_version,
        stage_index, attempt, created_by, created_at, released_at, updated_at)
      select ${newIdSql}, b.project_id, b.device_id, b.fleet_operation_id, b.name, b.description, b.steps, b.step_count, b.installs_version,
        b.stage_index, b.attempt + 1, b.created_by, ${now}, case when b.stage_index <= ${activeStage} then ${now}::timestamptz end, ${now}
      from before b returning stage_index
    ), forgiven as (
      update fleet_operation_stages s set failures = greatest(0, s.failures - p.failures), ended_at = null
      from (select stage_index, count(*) filter (where counts_as_failure) as failures from picked group by stage_index) as p
      where s.fleet_operation_id = ${operationId} and s.stage_index = p.stage_index
    )
    select count(*) as devices from again`.execute(tx);
  return rows[0]?.devices ?? 0;
}
