import { ActionError, type Actor, ids, type Json } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { newRawId } from '../../../auth/random.ts';
import { amounts } from '../../../limits/amounts.ts';
import { type Database, planEachTime } from '../../../platform/db/connect.ts';
import type { DeviceChange } from '../../devices/index.ts';
import { mostDevicesOfMembers } from './definition.ts';

/** Whether a change can be taken back. */
export function isUndoable({ kind }: DeviceChange): boolean {
  return kind === 'Rename' || kind === 'SetLabel' || kind === 'RemoveLabel';
}

/** Whether only owners may make a change of so many devices: what is deleted is gone, and certificates let devices in. */
export function needsOwnerFor({ kind }: DeviceChange, devices: number): boolean {
  return kind === 'RotateCertificates' || (kind === 'Delete' && devices > mostDevicesOfMembers);
}

/** A change that is stored. */
export interface StoredChange {
  /** The raw ids. */
  readonly changeId: string;
  readonly projectId: string;
  readonly change: DeviceChange;
  readonly undoes: string | null;
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly createdBy: Actor;
  readonly createdAt: string;
  readonly completedAt: string | null;
}

const columns = sql`change_id as "changeId", project_id as "projectId", change, undoes, total, done, failed,
  created_by as "createdBy", created_at as "createdAt", completed_at as "completedAt"`;

/** Reads a change by its raw id; one that is being deleted is absent. */
export async function readChange(
  tx: Database,
  changeId: string,
  lock: RawBuilder<unknown> = sql``,
): Promise<StoredChange | undefined> {
  const { rows } = await sql<StoredChange>`
    select ${columns} from fleet_changes where change_id = ${changeId} and not is_pruned ${lock}`.execute(tx);
  return rows[0];
}

/** A change that begins. */
export interface NewChange {
  readonly projectId: string;
  readonly change: DeviceChange;
  readonly undoes?: string;
  readonly actor: Actor;
  readonly now: Date;
}

/**
 * Makes a change of the devices that SQL selects, with `device_id`, `name`, `given`, `expected` and `is_reported`, and returns its raw id and what was counted of them by SQL over `e`.
 */
export async function createChange<Counted>(
  tx: Database,
  { projectId, change, undoes, actor, now }: NewChange,
  devices: RawBuilder<unknown>,
  counted: RawBuilder<Counted>,
): Promise<{ readonly changeId: string; readonly total: number; readonly counted: Counted }> {
  const changeId = newRawId();
  await sql`
    insert into fleet_changes (change_id, project_id, change, undoes, total, created_by, created_at)
    values (${changeId}, ${projectId}, ${JSON.stringify(change)}::jsonb, ${undoes ?? null}, 0, ${JSON.stringify(actor)}::jsonb, ${now})`.execute(
    tx,
  );
  const { rows } = await sql<{ total: number; counted: Counted }>`
    ${sql.raw(planEachTime)}
    with e as materialized (${devices}),
    written as (
      insert into fleet_change_devices (change_id, device_id, name, given, expected, is_reported)
      select ${changeId}, device_id, name, given, expected, is_reported from e order by device_id
    )
    select count(*) as total, ${counted} as counted from e`.execute(tx);
  const { total, counted: result } = rows[0] as { total: number; counted: Counted };
  await sql`update fleet_changes set total = ${total} where change_id = ${changeId}`.execute(tx);
  // Late: others who begin a change of the project wait behind its lock.
  await mustHaveRoom(tx, projectId, changeId);
  return { changeId, total, counted: result };
}

async function mustHaveRoom(tx: Database, projectId: string, changeId: string): Promise<void> {
  // Of two at the same time the second one counts what the first one has made.
  await sql`select 1 from projects where project_id = ${projectId} for no key update`.execute(tx);
  const { max } = amounts.unfinishedChanges;
  const { rows } = await sql`
    select 1 from fleet_changes where project_id = ${projectId} and change_id <> ${changeId} and completed_at is null offset ${sql.lit(max - 1)} limit 1`.execute(
    tx,
  );
  if (rows.length > 0)
    throw new ActionError(
      'Invalid',
      `At most ${max} changes of devices of a project go on at once. Wait until one has ended.`,
    );
}

/** A device of a change that was not changed yet, by its raw id. */
export interface PendingDevice {
  readonly deviceId: string;
  readonly given: Json;
  readonly expected: Json;
  readonly isReported: boolean;
}

/** The next devices of a change, in one order. */
export async function nextDevices(tx: Database, changeId: string, most: number): Promise<PendingDevice[]> {
  const { rows } = await sql<PendingDevice>`
    select device_id as "deviceId", given, expected, is_reported as "isReported" from fleet_change_devices
    where change_id = ${changeId} and status = 'Pending' order by device_id limit ${sql.lit(most)}`.execute(
    tx,
  );
  return rows;
}

/** How it ended for a device, by its raw id: with a reason where it was not changed. */
export interface DeviceResult {
  readonly id: string;
  readonly before: Json;
  readonly after: Json;
  readonly wasReported?: boolean;
  readonly reason: string | null;
}

/** Records how it ended for devices of a change whose row is locked. */
export async function recordResults(
  tx: Database,
  changeId: string,
  results: readonly DeviceResult[],
): Promise<void> {
  await sql`
    with result as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as r(id text, before jsonb, after jsonb, "wasReported" boolean, reason text)
    ), written as (
      update fleet_change_devices d set before = r.before, was_reported = coalesce(r."wasReported", false), reason = r.reason, given = case when r.reason is null then r.after else d.given end,
        status = case when r.reason is null then 'Done' else 'Failed' end
      from result r where d.change_id = ${changeId} and d.device_id = r.id
    )
    update fleet_changes f set done = f.done + c.done, failed = f.failed + c.failed
    from (select count(*) filter (where reason is null) as done, count(reason) as failed from result) as c
    where change_id = ${changeId}`.execute(tx);
}

/** What the events of a change say of it. */
export function changeData({
  changeId,
  projectId,
  change,
  undoes,
}: Pick<StoredChange, 'changeId' | 'projectId' | 'change' | 'undoes'>) {
  return {
    projectId: ids.project.of(projectId),
    jobId: ids.fleetJob.of(changeId),
    change: change as Json,
    ...(undoes === null ? {} : { undoes: ids.fleetJob.of(undoes) }),
  };
}
