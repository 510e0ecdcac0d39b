import { ids, nextWindow, type Actor, type Json, type Output } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { listOrder, sortKey, type Slice } from '../../../platform/db/paging/list-order.ts';
import type { SecretPlace } from '../../operations/index.ts';
import { isCovered } from '../../projects/index.ts';
import { defaultStages, mostDevicesOfMembers, type Definition, type GivenDefinition } from './definition.ts';

type Summary = Output<'fleet_QueryOperations'>['operations'][number];

/** How many devices of an operation stand how. */
export interface Counts {
  readonly total: number;
  readonly pending: number;
  readonly running: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly timedOut: number;
  readonly cancelled: number;
  readonly notDelivered: number;
  readonly interrupted: number;
  readonly unknown: number;
}

/** An operation with its counts. */
export interface OperationRow {
  readonly fleet_operation_id: string;
  readonly project_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly status: Summary['status'];
  readonly definition: Definition;
  readonly steps: Json[];
  readonly secret_places: SecretPlace[] | null;
  readonly enrollment_interval_secs: number | null;
  readonly last_enrollment_at: string | null;
  readonly close_when_converged: boolean;
  readonly active_stage: number;
  readonly max_in_flight: number;
  readonly pause_on_failure_percent: number;
  readonly deliver_within_secs: number;
  readonly pause_reason: string | null;
  readonly created_by: Actor;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly resumed_at: string | null;
  readonly completed_at: string | null;
  readonly window_opens_at: string | null;
  readonly window_closes_at: string | null;
  readonly counts: Counts;
  readonly selection_errors: number;
  /** Of a draft: on how many devices it would run, where that is known, whether an owner created it, and the policy of its project. */
  readonly draft_devices: number | null;
  readonly is_by_owner: boolean;
  readonly approval: Parameters<typeof isCovered>[0];
}

const count = (condition: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`count(*) filter (where ${condition})`;

/** SQL of the counts of device operations `o`, as JSON. */
export const countsSql = sql<Counts>`jsonb_build_object('total', count(*), 'pending', ${count(sql`o.status = 'Pending'`)},
  'running', ${count(sql`o.status = 'Running'`)}, 'succeeded', ${count(sql`o.status = 'Succeeded'`)},
  'failed', ${count(sql`o.status = 'Failed'`)}, 'timedOut', ${count(sql`o.status = 'TimedOut'`)},
  'cancelled', ${count(sql`o.status = 'Cancelled'`)}, 'notDelivered', ${count(sql`o.outcome = 'NotDelivered'`)},
  'interrupted', ${count(sql`o.outcome = 'Interrupted'`)}, 'unknown', ${count(sql`o.outcome = 'Unknown'`)})`;

/** Operations that have ended keep their counts. */
const columns = sql`coalesce(cardinality(f.previewed_devices), jsonb_array_length(f.definition->'selector'->'deviceIds')) as draft_devices,
  f.status <> 'Draft' or exists (select 1 from users u left join project_members m on m.user_id = u.user_id and m.project_id = f.project_id
    where u.user_id = substr(f.created_by->>'userId', 3) and (u.is_admin or m.is_owner)) as is_by_owner,
  (select p.approval from projects p where p.project_id = f.project_id) as approval, f.fleet_operation_id, f.project_id, f.name, f.description, f.status, f.definition, f.steps, f.secret_places,
  f.enrollment_interval_secs, f.last_enrollment_at, f.close_when_converged, f.active_stage, f.max_in_flight,
  f.pause_on_failure_percent, f.deliver_within_secs, f.pause_reason, f.created_by, f.created_at, f.started_at, f.resumed_at,
  f.completed_at, f.window_opens_at, f.window_closes_at, coalesce(f.final_counts, (
    select ${countsSql} from device_operations o where o.fleet_operation_id = f.fleet_operation_id and o.is_latest)) as counts,
  (select count(*) from fleet_selection_errors e where e.fleet_operation_id = f.fleet_operation_id) as selection_errors`;

/** The order of the operations of a project. */
export const operationsNewestFirst = listOrder<OperationRow>(
  'fleet_QueryOperations',
  'desc',
  [sortKey('created_at', 'timestamptz'), sortKey('fleet_operation_id', 'text')],
  // A definition may have some MiB.
  { defaultRows: 200, maxRows: 1_000, firstBatchRows: 20, maxBatchRows: 20 },
);

/** Reads a slice of the operations of a project. Lists show neither the devices that a selector names nor the steps. */
export async function readOperations(
  tx: Database,
  projectId: string,
  status: readonly OperationRow['status'][] | undefined,
  slice: Slice,
): Promise<OperationRow[]> {
  const hasStatus = status === undefined ? sql`true` : sql`f.status = any(${[...status]}::text[])`;
  const { rows } = await sql<OperationRow>`
    select ${columns} from (
      select f.* from fleet_operations f where f.project_id = ${projectId} and ${hasStatus} and ${slice.follows} ${slice.orderAndLimit}
    ) as f ${slice.order}`.execute(tx);
  return rows;
}

/** Reads an operation by its raw id. */
export async function findOperation(tx: Database, operationId: string): Promise<OperationRow | undefined> {
  const { rows } = await sql<OperationRow>`
    select ${columns} from fleet_operations f where f.fleet_operation_id = ${operationId}`.execute(tx);
  return rows[0];
}

/** The stages of an operation, as they are or will be. */
export function shownStages({
  definition,
}: Pick<OperationRow, 'definition'>): readonly Definition['stages'][number][] {
  return definition.stages.length === 0 ? defaultStages : definition.stages;
}

/** An operation as it is answered. */
export function toSummary(row: OperationRow, now: Date): Summary {
  const { notDelivered, interrupted, unknown, ...progress } = row.counts;
  const { install, window } = row.definition;
  const opensAt = awaitedOpening(row, now);
  const waitsFor = askedOf(row);
  return {
    fleetOperationId: ids.fleetOperation.of(row.fleet_operation_id),
    projectId: ids.project.of(row.project_id),
    name: row.name,
    ...(row.description === null ? {} : { description: row.description }),
    status: row.status,
    ...(row.enrollment_interval_secs === null
      ? {}
      : { enrollmentIntervalSecs: row.enrollment_interval_secs }),
    ...(row.last_enrollment_at === null ? {} : { lastEnrollmentAt: row.last_enrollment_at }),
    closeWhenConverged: row.close_when_converged,
    activeStageIndex: row.active_stage,
    stageCount: shownStages(row).length,
    progress,
    createdAt: row.created_at,
    ...(row.started_at === null ? {} : { startedAt: row.started_at }),
    ...(row.completed_at === null ? {} : { completedAt: row.completed_at }),
    createdBy: row.created_by,
    ...(row.pause_reason === null ? {} : { pauseReason: row.pause_reason }),
    notDelivered,
    interrupted,
    unknown,
    selectionErrors: row.selection_errors,
    maxInFlight: row.max_in_flight,
    pauseOnFailurePercent: row.pause_on_failure_percent,
    deliverWithinSecs: row.deliver_within_secs,
    ...(install === undefined ? {} : { install }),
    ...(waitsFor === undefined ? {} : { waitsFor }),
    ...(window === undefined ? {} : { window }),
    ...(opensAt === undefined ? {} : { opensAt }),
  };
}

/** Who has to start a draft instead of its creator. */
export function askedOf(row: OperationRow): Summary['waitsFor'] {
  if (row.status !== 'Draft') return undefined;
  const devices = row.enrollment_interval_secs === null ? (row.draft_devices ?? 0) : Infinity;
  const steps = row.steps as unknown as GivenDefinition['steps'];
  if (isCovered(row.approval, { devices, steps })) return 'SecondPerson';
  return devices > mostDevicesOfMembers && !row.is_by_owner ? 'Owner' : undefined;
}

/** When the window of an operation opens that waits for it. */
function awaitedOpening({ status, definition, ...row }: OperationRow, now: Date): string | undefined {
  if (status !== 'Running' || definition.window === undefined) return undefined;
  const isOver = Date.parse(row.window_closes_at ?? '') <= now.getTime();
  const opensAt = isOver ? nextWindow(definition.window, now).opensAt : new Date(row.window_opens_at ?? now);
  return opensAt > now ? opensAt.toISOString() : undefined;
}

/** The counts of an operation that never began. */
export const noDevices: Counts = {
  total: 0,
  pending: 0,
  running: 0,
  succeeded: 0,
  failed: 0,
  timedOut: 0,
  cancelled: 0,
  notDelivered: 0,
  interrupted: 0,
  unknown: 0,
};
