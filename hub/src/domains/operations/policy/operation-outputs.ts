import { ids } from '@corral/contract';
import type { OperationRow, StepRow } from '../sql/operation-lists.ts';

const given = <Key extends string, Value>(
  key: Key,
  value: Value | null,
): { readonly [Name in Key]?: Value } =>
  (value === null ? {} : { [key]: value }) as { readonly [Name in Key]?: Value };

/** The output of an operation on a device. */
export function toSummary(row: OperationRow) {
  const fleetId = row.fleet_operation_id;
  return {
    deviceOperationId: ids.deviceOperation.of(row.device_operation_id),
    projectId: ids.project.of(row.project_id),
    deviceId: ids.device.of(row.device_id),
    createdBy: row.created_by,
    ...(fleetId === null ? {} : { fleetOperationId: ids.fleetOperation.of(fleetId) }),
    name: row.name,
    ...given('description', row.description),
    status: row.status,
    stepIndex: row.step_index,
    stepCount: row.step_count,
    ...given('lastError', row.last_error),
    createdAt: row.created_at,
    ...given('startedAt', row.started_at),
    ...given('completedAt', row.completed_at),
    updatedAt: row.updated_at,
    ...given('outcome', row.outcome),
    attempt: row.attempt,
  };
}

/** The output of a step that has been reached. */
export function toStepState(row: StepRow) {
  return {
    stepIndex: row.step_index,
    status: row.status,
    ...given('output', row.output),
    ...given('error', row.error),
    startedAt: row.started_at,
    ...given('completedAt', row.completed_at),
    ...given('checkpoint', row.checkpoint),
    ...given('carrier', row.carrier),
    ...given('log', row.log),
  };
}
