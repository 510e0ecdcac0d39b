import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Operation, Turn } from './operations.ts';

/** How many devices of a stage may fail before its operation pauses: at least one, or none where no failure is tolerated. */
export function failureBudget(devices: number, pauseOnFailurePercent: number): number {
  if (pauseOnFailurePercent === 0) return 0;
  return Math.max(1, Math.floor((devices * pauseOnFailurePercent) / 100));
}

interface Counted {
  readonly failures: number;
  readonly devices: number;
  readonly percent: number;
  readonly name: string;
}

/** Counts a failure for the stage of an operation, and pauses the operation on the fleet if these are more than it may have. The operation on the device is locked before. */
export async function countFailure(turn: Turn, operation: Operation): Promise<void> {
  const { fleetOperationId, stageIndex } = operation;
  if (fleetOperationId === null) return;
  const { rows } = await sql<Counted>`
    with noted as (
      update device_operations set counts_as_failure = true where device_operation_id = ${operation.operationId}
    )
    update fleet_operation_stages s set failures = failures + 1 from fleet_operations f
    where s.fleet_operation_id = ${fleetOperationId} and s.stage_index = ${stageIndex} and f.fleet_operation_id = s.fleet_operation_id
    returning s.failures, s.devices, f.pause_on_failure_percent as percent, f.name`.execute(turn.tx);
  const [counted] = rows;
  if (counted === undefined) return;
  const budget = failureBudget(counted.devices, counted.percent);
  if (counted.failures > budget) await pause(turn, operation, counted, budget);
}

async function pause({ tx, now, emit }: Turn, operation: Operation, { devices }: Counted, budget: number) {
  const { fleetOperationId, projectId, operationId, deviceId } = operation;
  // What runs may fail as well: the sentence stays true.
  const reason =
    budget === 0
      ? 'A device of the stage failed; none may.'
      : `More than ${budget} of ${devices} devices of the stage failed.`;
  const { rows } = await sql`
    select 1 from fleet_operations where fleet_operation_id = ${fleetOperationId} and status = 'Running' for update`.execute(
    tx,
  );
  if (rows.length === 0) return;
  await sql`
    with paused as (
      update fleet_operations set status = 'Paused', pause_reason = ${reason} where fleet_operation_id = ${fleetOperationId}
    )
    insert into operation_events (project_id, fleet_operation_id, device_operation_id, device_id, at, kind, data)
    values (${projectId}, ${fleetOperationId}, ${operationId}, ${deviceId}, ${now}, 'Paused', ${JSON.stringify({ reason })}::jsonb)`.execute(
    tx,
  );
  emit('fleet_OperationPaused', {
    projectId: ids.project.of(projectId),
    fleetOperationId: ids.fleetOperation.of(fleetOperationId ?? ''),
    reason,
  });
}
