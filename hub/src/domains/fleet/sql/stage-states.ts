import type { Output } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { failureBudget } from '../../operations/index.ts';
import { countsSql, type Counts, type OperationRow } from './fleet-operations.ts';

type StageState = Extract<Output<'fleet_GetOperation'>, { result: 'Found' }>['stageStates'][number];

interface Row {
  readonly stage_index: number;
  readonly devices: number;
  readonly failures: number;
  readonly opened_at: string | null;
  readonly counts: Counts;
}

/** How each stage of an operation stands; none before it has begun. */
export async function readStageStates(tx: Database, operation: OperationRow): Promise<StageState[]> {
  const { rows } = await sql<Row>`
    with counted as materialized (
      select o.stage_index, ${countsSql} as counts from device_operations o
      where o.fleet_operation_id = ${operation.fleet_operation_id} and o.is_latest group by o.stage_index
    ), nobody as (
      select ${countsSql} as counts from device_operations o where false
    )
    select s.stage_index, s.devices, s.failures, s.opened_at, coalesce(c.counts, n.counts) as counts
    from fleet_operation_stages s left join counted c using (stage_index) cross join nobody n
    where s.fleet_operation_id = ${operation.fleet_operation_id} order by s.stage_index`.execute(tx);
  return rows.map((row) => toState(row, operation));
}

function toState({ counts, ...row }: Row, { pause_on_failure_percent }: OperationRow): StageState {
  const { total, pending, running, succeeded, failed, timedOut, cancelled } = counts;
  return {
    stageIndex: row.stage_index,
    devices: row.devices,
    progress: { total, pending, running, succeeded, failed, timedOut, cancelled },
    failures: row.failures,
    budget: failureBudget(row.devices, pause_on_failure_percent),
    ...(row.opened_at === null ? {} : { openedAt: row.opened_at }),
  };
}
