import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Json } from '@corral/contract';
import { namesIn } from '@corral/expressions';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { Operation, Step, Turn } from './operations.ts';

/** How a step ended. */
export interface StepEnd {
  readonly status: 'Succeeded' | 'Failed' | 'TimedOut' | 'Skipped';
  readonly error?: string | undefined;
  readonly output?: Json | undefined;
  /** The last lines of the log. */
  readonly log?: readonly string[] | undefined;
  /** The property before the step, or null where there was none. */
  readonly undo?: Json | undefined;
}

const hourSecs = 3600;
const defaultTimeouts: Readonly<Record<string, number | undefined>> = {
  DeviceCommand: hourSecs,
  DeviceTask: 24 * hourSecs,
};

/** How long a step may take, in seconds; undefined where it may wait for ever. */
export function timeoutOf(step: Step): number | undefined {
  const given = 'timeoutSecs' in step ? step.timeoutSecs : undefined;
  return given ?? defaultTimeouts[step.kind];
}

/** Adds the row of a step that runs; a wait has been evaluated just now. */
export async function addRunningStep(
  { tx, now }: Turn,
  { operationId }: Operation,
  stepIndex: number,
  step: Step,
): Promise<void> {
  const isWait = step.kind === 'WaitForDeviceProperty';
  const waitsFor = isWait ? [...namesIn(step.predicate as never)] : null;
  await sql`insert into device_operation_steps (device_operation_id, step_index, kind, status, timeout_secs, started_at, checked_at, waits_for)
    values (${operationId}, ${stepIndex}, ${step.kind}, 'Running', ${timeoutOf(step) ?? null}, ${now}, ${isWait ? now : null}, ${waitsFor}::text[])`.execute(
    tx,
  );
}

/** Adds the row of a step that the hub did at once. */
export async function addEndedStep(
  { tx, now }: Turn,
  { operationId }: Operation,
  stepIndex: number,
  { kind }: Step,
  end: StepEnd,
): Promise<void> {
  await sql`insert into device_operation_steps (device_operation_id, step_index, kind, status, carrier, error, undo, started_at, completed_at)
    values (${operationId}, ${stepIndex}, ${kind}, ${end.status}, ${end.status === 'Skipped' ? null : 'Hub'},
      ${end.error ?? null}, ${jsonOf(end.undo)}::jsonb, ${now}, ${now})`.execute(tx);
}

/** The most that is kept of an output, and of a log. */
const maxKeptBytes = 65_536;

/** What is kept of an output, as JSON, and its whole size: of 16 MiB no more than the size is looked at. */
async function keptOf(output: Json | undefined): Promise<{ kept: string | null; bytes: number | null }> {
  if (output === undefined) return { kept: null, bytes: null };
  const json = JSON.stringify(output);
  if (json.length > maxKeptBytes) await nextTurn();
  const bytes = Buffer.byteLength(json);
  const begin = storableJson(json.slice(0, maxKeptBytes));
  if (bytes <= maxKeptBytes) return { kept: begin, bytes };
  const text = Buffer.from(begin).subarray(0, maxKeptBytes).toString();
  return { kept: JSON.stringify(text.replace(/\uFFFD+$/u, '')), bytes };
}

/** Ends a step that runs; false if it has ended before. Of a large output the beginning of its text is kept. */
export async function endStep(
  { tx, now }: Turn,
  operationId: string,
  stepIndex: number,
  end: StepEnd,
): Promise<boolean> {
  const { kept, bytes } = await keptOf(end.output);
  const { numAffectedRows } = await sql`
    update device_operation_steps set status = ${end.status}, error = ${end.error === undefined ? null : textOf(end.error)}, output = ${kept}::jsonb, output_bytes = ${bytes},
      log = ${end.log === undefined ? null : end.log.map(textOf)}::text[], carrier = coalesce(carrier, 'Hub'), completed_at = ${now}
    where device_operation_id = ${operationId} and step_index = ${stepIndex} and status = 'Running'`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0n) > 0;
}

/** What PostgreSQL stores in no document: NUL, and halves of surrogate pairs. */
const unstorable = /\\u0000|\\ud[89a-f][0-9a-f]{2}/gu;

function jsonOf(value: Json | undefined): string | null {
  return value === undefined ? null : storableJson(JSON.stringify(value));
}

function storableJson(json: string): string {
  return json.replace(unstorable, '\\ufffd');
}

function textOf(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}

/** SQL for a number that each write and each removal of the properties `names` of a device changes. */
export function versionsOf(deviceId: RawBuilder<unknown>, names: RawBuilder<unknown>): RawBuilder<unknown> {
  const sumIn = (table: string, parity: 0 | 1) =>
    sql`coalesce((select sum(2 * p.version + ${sql.lit(parity)}) from ${sql.table(table)} p where p.device_id = ${deviceId} and p.name = any(${names})), 0)`;
  return sql`${sumIn('device_properties', 0)} + ${sumIn('removed_device_properties', 1)}`;
}

/** Notes that a wait is about to be evaluated: what is written from now on makes it due again. */
export async function noteChecked(
  { tx, now }: Turn,
  { operationId, deviceId, stepIndex }: Operation,
): Promise<void> {
  await sql`update device_operation_steps s set checked_at = ${now}, seen_versions = ${versionsOf(sql`${deviceId}`, sql`s.waits_for`)}
    where device_operation_id = ${operationId} and step_index = ${stepIndex}`.execute(tx);
}

/** SQL for whether the connection, `c` with its node `n`, over which the step `s` was claimed has ended: also one of which no row is kept. */
export const connectionEnded = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(s.connection_id is not null and (c.connection_id is null or c.ended_at is not null or coalesce(n.lease_until < ${now}, false)))`;

/** The row of the current step of an operation. */
export interface CurrentStep {
  readonly status: string;
  readonly kind: string;
  readonly carrier: 'Claim' | 'Channel' | 'Hub' | null;
  readonly claims: number;
  readonly claimIds: readonly string[];
  readonly connectionId: string | null;
  /** Whether the connection over which it was handed out has ended. */
  readonly isConnectionEnded: boolean;
  readonly firstClaimedAt: string | null;
  readonly checkpoint: Json | null;
  readonly startedAt: string;
  readonly timeoutSecs: number | null;
}

/** Reads a step of an operation that is locked; undefined if it has not been reached. */
export async function readStep(
  { tx, now }: Turn,
  operationId: string,
  stepIndex: number,
): Promise<CurrentStep | undefined> {
  const { rows } = await sql<CurrentStep>`
    select s.status, s.kind, s.carrier, s.claims, s.claim_ids as "claimIds", s.connection_id as "connectionId", ${connectionEnded(now)} as "isConnectionEnded",
      s.first_claimed_at as "firstClaimedAt", s.checkpoint, s.started_at as "startedAt", s.timeout_secs as "timeoutSecs"
    from device_operation_steps s left join device_connections c on c.connection_id = s.connection_id left join cluster_nodes n on n.node_id = c.node_id
    where device_operation_id = ${operationId} and step_index = ${stepIndex}`.execute(tx);
  return rows[0];
}

/** How a step is handed out. */
interface HandOut {
  readonly carrier: 'Claim' | 'Channel';
  /** The raw id of the claim. */
  readonly claimId: string;
  readonly connectionId: string | undefined;
  /** Whether its first claim is so recent that this one counts with it. */
  readonly isRecent: boolean;
}

/** Notes that the current step of a locked operation is handed out, also as an event, and locks its operation on a fleet against a pause; false if that does not run. */
export async function handOut(
  { tx, now }: Turn,
  { operationId, projectId, deviceId, fleetOperationId, stepIndex }: Operation,
  { carrier, claimId, connectionId, isRecent }: HandOut,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with fleet as materialized (
      select 1 from fleet_operations where fleet_operation_id = ${fleetOperationId} and status = 'Running' for key share
    ), handed as (
      update device_operation_steps set carrier = ${carrier}, connection_id = ${connectionId ?? null},
        claim_ids = (claim_ids || ${claimId}::text)[greatest(1, cardinality(claim_ids) - 18):],
        claims = case when ${isRecent} then claims + 1 else 1 end,
        first_claimed_at = case when ${isRecent} then first_claimed_at else ${now} end
      where device_operation_id = ${operationId} and step_index = ${stepIndex}
        and (${fleetOperationId === null} or exists (select 1 from fleet)) returning 1
    )
    insert into operation_events (project_id, fleet_operation_id, device_operation_id, device_id, at, kind, data)
    select ${projectId}, ${fleetOperationId}, ${operationId}, ${deviceId}, ${now}, ${carrier === 'Claim' ? 'Claimed' : 'Invoked'},
      ${JSON.stringify({ stepIndex, connectionId })}::jsonb from handed`.execute(tx);
  return Number(numAffectedRows ?? 0n) > 0;
}

/** Notes over which connection, by its raw id, a device has a step that runs, unless it has got it over another one meanwhile. */
export async function setConnection(
  tx: Database,
  operationId: string,
  stepIndex: number,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await sql`update device_operation_steps set connection_id = ${to}
    where device_operation_id = ${operationId} and step_index = ${stepIndex} and status = 'Running' and connection_id = ${from}`.execute(
    tx,
  );
}

/** Notes that a step that was to go through a channel has not reached its device, so that it goes out again. */
export async function takeBack({ tx }: Turn, operationId: string, stepIndex: number): Promise<void> {
  await sql`update device_operation_steps set carrier = null, connection_id = null
    where device_operation_id = ${operationId} and step_index = ${stepIndex} and status = 'Running' and carrier = 'Channel'`.execute(
    tx,
  );
}

/** Notes how far a device has come with a step; one that is too large is not kept. */
export async function noteCheckpoint(
  { tx }: Turn,
  operationId: string,
  stepIndex: number,
  checkpoint: Json,
): Promise<void> {
  const { kept, bytes } = await keptOf(checkpoint);
  if ((bytes ?? 0) > maxKeptBytes) return;
  await sql`update device_operation_steps set checkpoint = ${kept}::jsonb
    where device_operation_id = ${operationId} and step_index = ${stepIndex}`.execute(tx);
}

/** Whether a node of the hub ended the connection over which a device had a step, by stopping or by failing. A device that says so over the next one has claimed the step again: of its connections the latest that ended counts. */
export async function endedByOurNode(
  { tx, now }: Turn,
  operationId: string,
  stepIndex: number,
): Promise<boolean> {
  const { rows } = await sql`
    with s as (
      select carrier, connection_id from device_operation_steps where device_operation_id = ${operationId} and step_index = ${stepIndex}
    ), latest as (
      select c.end_reason, c.ended_at from (
        select connection_id, null::bigint as event_id from s
        union all
        select e.data->>'connectionId', e.event_id from s join operation_events e on s.carrier = 'Claim'
        where e.device_operation_id = ${operationId} and e.kind = 'Claimed' and e.data->'stepIndex' = to_jsonb(${stepIndex}::int)
      ) as h join device_connections c using (connection_id) left join cluster_nodes n using (node_id)
      where c.ended_at is not null or n.lease_until < ${now}
      order by h.event_id desc nulls first limit 1
    )
    select 1 from latest where ended_at is null or end_reason in ('ServerShutdown', 'NodeCrashed')`.execute(
    tx,
  );
  return rows.length > 0;
}
