import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

/** How a stage of an operation stands. */
export interface StageState {
  readonly endedAt: string | null;
  readonly devices: number;
}

/** Reads a stage of an operation whose stages are locked. */
export async function readStage(
  tx: Database,
  operationId: string,
  stageIndex: number,
): Promise<StageState | undefined> {
  const { rows } = await sql<StageState>`
    select ended_at as "endedAt", devices from fleet_operation_stages
    where fleet_operation_id = ${operationId} and stage_index = ${stageIndex}`.execute(tx);
  return rows[0];
}

/** Opens the stages up to the active one that are not open yet, also those that were passed before they opened; the stages are locked. */
export async function openStages(
  tx: Database,
  operationId: string,
  activeStage: number,
  now: Date,
): Promise<{ readonly stageIndex: number; readonly devices: number }[]> {
  const { rows } = await sql<{ stageIndex: number; devices: number }>`
    update fleet_operation_stages set opened_at = ${now}, ended_at = null
    where fleet_operation_id = ${operationId} and stage_index <= ${activeStage} and opened_at is null
    returning stage_index as "stageIndex", devices`.execute(tx);
  return rows.toSorted((one, other) => one.stageIndex - other.stageIndex);
}

/** A pause waits for so many at most. */
const releasedAtOnce = 5_000;

/** Lets devices of open stages begin, as many as one transaction should; whether it did. */
export async function releaseDevices(
  tx: Database,
  operationId: string,
  activeStage: number,
  now: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with picked as materialized (
      select o.device_operation_id from device_operations o
      where o.fleet_operation_id = ${operationId} and o.status = 'Pending' and o.released_at is null and exists (
        select 1 from fleet_operation_stages s where s.fleet_operation_id = ${operationId} and s.stage_index = o.stage_index
          and s.stage_index <= ${activeStage} and s.opened_at is not null)
      limit ${sql.lit(releasedAtOnce)} for update of o skip locked
    )
    update device_operations o set released_at = ${now} from picked where o.device_operation_id = picked.device_operation_id`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0n) > 0;
}

/** SQL for whether the device operation `o` was in its stage when that was opened, or is tried again. */
export const wasThere = (operationId: string): RawBuilder<boolean> =>
  sql<boolean>`(o.attempt > 1 or exists (select 1 from fleet_operation_stages s
    where s.fleet_operation_id = ${operationId} and s.stage_index = o.stage_index and o.created_at <= s.opened_at))`;

/** Whether devices of the stages up to one have not ended. Those that joined after their stage was opened keep no later stage waiting, only the end of the operation. */
export async function isUnderWay(
  tx: Database,
  operationId: string,
  { stageIndex, isLast }: { readonly stageIndex: number; readonly isLast: boolean },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from device_operations o where fleet_operation_id = ${operationId} and is_latest and status in ('Pending', 'Running')
      and stage_index <= ${stageIndex} and ${isLast ? sql`true` : wasThere(operationId)} limit 1`.execute(tx);
  return rows.length > 0;
}

/** Whether one of the stages from one on has devices. */
export async function haveDevices(tx: Database, operationId: string, fromStage: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from fleet_operation_stages where fleet_operation_id = ${operationId} and stage_index >= ${fromStage} and devices > 0 limit 1`.execute(
    tx,
  );
  return rows.length > 0;
}

/** Notes since when all devices of a stage that is locked have ended, or that some have not. */
export async function noteStageEnd(
  tx: Database,
  operationId: string,
  stageIndex: number,
  endedAt: Date | null,
): Promise<void> {
  await sql`update fleet_operation_stages set ended_at = ${endedAt}
    where fleet_operation_id = ${operationId} and stage_index = ${stageIndex}`.execute(tx);
}
