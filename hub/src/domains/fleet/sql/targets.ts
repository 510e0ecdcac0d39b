import { ids, type Input, type Json, type Output } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { sortKey, type ListOrder, type Slice } from '../../../platform/db/paging/list-order.ts';
import { namedOrder } from '../../../platform/db/paging/named-order.ts';
import { isConnected, shownName } from '../../devices/index.ts';

type Target = Output<'fleet_QueryOperationTargets'>['targets'][number];
type TargetOrder = NonNullable<Input<'fleet_QueryOperationTargets'>['order']>;

/** A device of an operation. */
export interface TargetRow {
  readonly device_operation_id: string;
  readonly device_id: string;
  readonly stage_index: number;
  readonly step_index: number;
  readonly status: Target['status'];
  readonly outcome: Target['outcome'] | null;
  readonly last_error: string | null;
  readonly attempt: number;
  readonly updated_at: string;
  readonly name: string | null;
  readonly is_connected: boolean;
  readonly states: readonly StateRow[] | null;
  readonly status_key: number;
}

interface StateRow {
  readonly index: number;
  readonly status: Target['stepStates'][number]['status'];
  readonly carrier: Target['carrier'] | null;
  readonly output: Json;
  readonly hasOutput: boolean;
  readonly error: string | null;
  readonly startedAt: string;
  readonly completedAt: string | null;
  readonly checkpoint: Json;
}

/** What needs a look comes first. */
const ranks = ['Failed', 'TimedOut', 'Running', 'Pending', 'Cancelled', 'Succeeded'] as const;
const rank = sql<number>`array_position(array[${sql.join(ranks.map((one) => sql.lit(one)))}]::text[], o.status)`;
const id = sortKey<TargetRow>('device_operation_id', 'text', sql`o.device_operation_id`);
const statusKey = sortKey<TargetRow>('status_key', 'bigint', rank);
const updatedKey = sortKey<TargetRow>('updated_at', 'timestamptz', sql`o.updated_at`);
const stageKey = sortKey<TargetRow>('stage_index', 'bigint', sql`o.stage_index`);

/** The order of the devices of an operation: by stage, unless another is asked for. */
export function targetOrder(order: TargetOrder | undefined): ListOrder<TargetRow> {
  const keys = {
    stage: () => [stageKey, id],
    status: () => [statusKey, stageKey, id],
    updated: () => [updatedKey, id],
  };
  return namedOrder<TargetRow, keyof typeof keys>(
    'fleet_QueryOperationTargets',
    keys,
    order ?? 'stage',
    'stage',
  );
}

/** Which devices of an operation are listed. */
export interface Targets {
  /** The raw id of the operation. */
  readonly operationId: string;
  readonly status: readonly Target['status'][] | undefined;
  /** The condition on the devices, `d`; undefined for all. */
  readonly passes: RawBuilder<boolean> | undefined;
  readonly now: Date;
}

/** The longest output that the list has; the operation of the device has it whole. */
const maxListedBytes = 4096;

/** The steps of the statement's `o` that were reached, as JSON. */
const states = sql`(
  select jsonb_agg(jsonb_build_object('index', s.step_index, 'status', s.status, 'carrier', s.carrier, 'error', s.error,
    'output', case when pg_column_size(s.output) <= ${sql.lit(maxListedBytes)} then s.output end,
    'hasOutput', s.output is not null and pg_column_size(s.output) <= ${sql.lit(maxListedBytes)},
    'startedAt', ${utc(sql`s.started_at`)}, 'completedAt', ${utc(sql`s.completed_at`)},
    'checkpoint', case when pg_column_size(s.checkpoint) <= ${sql.lit(maxListedBytes)} then s.checkpoint end) order by s.step_index)
  from device_operation_steps s where s.device_operation_id = o.device_operation_id)`;

function utc(at: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/** Reads a slice of the devices of an operation: selects them first, so that steps and presence are read for these only. */
export async function readTargets(
  tx: Database,
  { operationId, status, passes, now }: Targets,
  slice: Slice,
): Promise<TargetRow[]> {
  const hasStatus = status === undefined ? sql`true` : sql`o.status = any(${[...status]}::text[])`;
  const devices = passes === undefined ? sql`` : sql`join devices d using (device_id)`;
  const { rows } = await sql<TargetRow>`
    select o.device_operation_id, o.device_id, o.stage_index, o.step_index, o.status, o.outcome, o.last_error, o.attempt, o.updated_at,
      ${rank} as status_key, ${shownName} as name, coalesce(${isConnected(now)}, false) as is_connected, ${states} as states
    from (
      select o.* from device_operations o ${devices}
      where o.fleet_operation_id = ${operationId} and o.is_latest and ${hasStatus} and ${passes ?? sql`true`} and ${slice.follows} ${slice.orderAndLimit}
    ) as o left join devices d using (device_id) ${slice.order}`.execute(tx);
  return rows;
}

/** A device of an operation as it is answered. */
export function toTarget(row: TargetRow): Target {
  const carrier = row.states?.find(({ index }) => index === row.step_index)?.carrier;
  return {
    deviceId: ids.device.of(row.device_id),
    deviceOperationId: ids.deviceOperation.of(row.device_operation_id),
    stageIndex: row.stage_index,
    stepIndex: row.step_index,
    status: row.status,
    ...(row.last_error === null ? {} : { lastError: row.last_error }),
    updatedAt: row.updated_at,
    stepStates: (row.states ?? []).map(toState),
    ...(row.name === null ? {} : { deviceName: row.name }),
    isConnected: row.is_connected,
    attempt: row.attempt,
    ...(carrier === undefined || carrier === null ? {} : { carrier }),
    ...(row.outcome === null ? {} : { outcome: row.outcome }),
  } as Target;
}

function toState(state: StateRow): Target['stepStates'][number] {
  return {
    stepIndex: state.index,
    status: state.status,
    ...(state.hasOutput ? { output: state.output } : {}),
    ...(state.error === null ? {} : { error: state.error }),
    startedAt: state.startedAt,
    ...(state.completedAt === null ? {} : { completedAt: state.completedAt }),
    ...(state.checkpoint === null ? {} : { checkpoint: state.checkpoint }),
    ...(state.carrier === null || state.carrier === undefined ? {} : { carrier: state.carrier }),
  };
}
