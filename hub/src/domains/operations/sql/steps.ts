import type { Json } from '@corral/contract';
import { sql } from 'kysely';
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
function timeoutOf(step: Step): number | undefined {
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
  const checkedAt = step.kind === 'WaitForDeviceProperty' ? now : null;
  await sql`insert into device_operation_steps (device_operation_id, step_index, kind, status, timeout_secs, started_at, checked_at)
    values (${operationId}, ${stepIndex}, ${step.kind}, 'Running', ${timeoutOf(step) ?? null}, ${now}, ${checkedAt})`.execute(
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

/** Ends a step that runs; false if it has ended before. Of a large output the beginning of its text is kept. */
export async function endStep(
  { tx, now }: Turn,
  operationId: string,
  stepIndex: number,
  end: StepEnd,
): Promise<boolean> {
  const output = jsonOf(end.output);
  const bytes = output === null ? null : Buffer.byteLength(output);
  const kept =
    output === null || (bytes ?? 0) <= maxKeptBytes
      ? output
      : JSON.stringify(
          Buffer.from(output)
            .subarray(0, maxKeptBytes)
            .toString()
            .replace(/\uFFFD+$/u, ''),
        );
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
  return value === undefined ? null : JSON.stringify(value).replace(unstorable, '\\ufffd');
}

function textOf(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}

/** Notes that a wait was evaluated and goes on. */
export async function noteChecked({ tx, now }: Turn, { operationId, stepIndex }: Operation): Promise<void> {
  await sql`update device_operation_steps set checked_at = ${now}
    where device_operation_id = ${operationId} and step_index = ${stepIndex}`.execute(tx);
}

/** The row of the current step of an operation. */
export interface CurrentStep {
  readonly status: string;
  readonly kind: string;
  readonly carrier: 'Claim' | 'Channel' | 'Hub' | null;
  readonly claims: number;
  readonly claimIds: readonly string[];
  readonly connectionId: string | null;
  readonly firstClaimedAt: string | null;
  readonly checkpoint: Json | null;
  readonly startedAt: string;
  readonly timeoutSecs: number | null;
}

/** Reads a step of an operation that is locked; undefined if it has not been reached. */
export async function readStep(
  { tx }: Turn,
  operationId: string,
  stepIndex: number,
): Promise<CurrentStep | undefined> {
  const { rows } = await sql<CurrentStep>`
    select status, kind, carrier, claims, claim_ids as "claimIds", connection_id as "connectionId", first_claimed_at as "firstClaimedAt",
      checkpoint, started_at as "startedAt", timeout_secs as "timeoutSecs"
    from device_operation_steps where device_operation_id = ${operationId} and step_index = ${stepIndex}`.execute(
    tx,
  );
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

/** Notes that the current step of a locked operation is handed out. */
export async function handOut(
  { tx, now }: Turn,
  { operationId, stepIndex }: Operation,
  { carrier, claimId, connectionId, isRecent }: HandOut,
): Promise<void> {
  await sql`update device_operation_steps set carrier = ${carrier}, connection_id = ${connectionId ?? null},
      claim_ids = (claim_ids || ${claimId}::text)[greatest(1, cardinality(claim_ids) - 18):],
      claims = case when ${isRecent} then claims + 1 else 1 end,
      first_claimed_at = case when ${isRecent} then first_claimed_at else ${now} end
    where device_operation_id = ${operationId} and step_index = ${stepIndex}`.execute(tx);
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
  const text = JSON.stringify(checkpoint);
  if (Buffer.byteLength(text) > maxKeptBytes) return;
  await sql`update device_operation_steps set checkpoint = ${text}::jsonb
    where device_operation_id = ${operationId} and step_index = ${stepIndex}`.execute(tx);
}

/** Whether a node of the hub ended the connection over which a step was handed out, by stopping or by failing. */
export async function endedByOurNode({ tx }: Turn, { connectionId }: CurrentStep): Promise<boolean> {
  const { rows } = await sql`
    select 1 from device_connections where connection_id = ${connectionId} and end_reason in ('ServerShutdown', 'NodeCrashed')`.execute(
    tx,
  );
  return rows.length > 0;
}
