import { type Actor, type RotationState } from '@corral/contract';
import { sql } from 'kysely';
import { newRawId } from '../../../auth/random.ts';
import { amounts } from '../../../limits/amounts.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { listOrder, sortKey, type Slice } from '../../../platform/db/paging/list-order.ts';
import { liveConnection } from './presence.ts';
import { shownName } from './shown-name.ts';

/** A rotation as it is listed; raw ids. */
export interface RotationRow {
  readonly rotation_id: string;
  readonly device_id: string;
  readonly device_name: string | null;
  readonly state: RotationState;
  readonly grace_secs: number;
  readonly reason: string | null;
  readonly started_by: Actor;
  readonly started_at: string;
  readonly until: string;
  readonly certificate_id: string | null;
  readonly announced_at: string | null;
  readonly arrived_at: string | null;
  readonly old_ends_at: string | null;
  readonly ended_at: string | null;
  readonly problem: string | null;
  /** Whether the device is connected with another certificate although it announced one a while ago. */
  readonly is_stuck: boolean;
}

/** Rotations, newest first. */
export const rotationsNewestFirst = listOrder<RotationRow>('devices_QueryCertificateRotations', 'desc', [
  sortKey('started_at', 'timestamptz', sql`r.started_at`),
  sortKey('rotation_id', 'text', sql`r.rotation_id`),
]);

/** After this long a device that announced a certificate has put it to use, or the old one back. */
const stuckAfterMs = 15 * 60_000;

/** SQL of whether a rotation, `r`, failed and none of its device came after it. */
export const unresolved = sql`(r.state in ('RolledBack', 'Expired') and not exists (
  select 1 from certificate_rotations later where later.device_id = r.device_id and (later.started_at, later.rotation_id) > (r.started_at, r.rotation_id)))`;

/** SQL of whether a pending certificate, `c`, came with the fingerprint of its device and the token that is bound to it, while the window of its rotation was open, and is still. */
export const expectedByRotation = (now: Date) => sql<boolean>`(c.status = 'Pending' and exists (
  select 1 from certificate_rotations r join deployment_tokens bound on bound.token_id = c.token_id and bound.device_id = c.device_id
  where r.device_id = c.device_id and r.state = 'Open' and r.ended_at is null and r.until > ${now} and c.created_at >= r.started_at
) and not exists (select 1 from device_certificates other where other.fingerprint = c.fingerprint and other.device_id <> c.device_id))`;

/** Reads a slice of the rotations of a project, or of one device of it. */
export async function readRotations(
  tx: Database,
  of: {
    readonly projectId: string;
    readonly deviceId: string | undefined;
    readonly state: RotationState | undefined;
    readonly isUnresolved: boolean;
  },
  slice: Slice,
  now: Date,
): Promise<RotationRow[]> {
  const { projectId, deviceId, state, isUnresolved } = of;
  const place = deviceId === undefined ? sql`r.project_id = ${projectId}` : sql`r.device_id = ${deviceId}`;
  const isInState = state === undefined ? sql`true` : sql`r.state = ${state}`;
  const isWanted = isUnresolved ? unresolved : sql`true`;
  const { rows } = await sql<RotationRow>`
    select r.*, ${shownName} as device_name, (r.state = 'Announced'
      and r.announced_at < ${new Date(now.getTime() - stuckAfterMs)} and ${liveConnection(now)}) as is_stuck
    from certificate_rotations r join devices d using (device_id)
    where ${place} and d.project_id = ${projectId} and ${isInState} and ${isWanted} and ${slice.follows} ${slice.orderAndLimit}`.execute(
    tx,
  );
  return rows;
}

/** The rotation of a device that has not ended. */
export interface RunningRotation {
  readonly rotationId: string;
  readonly state: RotationState;
  readonly nonce: string;
  readonly until: string;
  readonly certificateId: string | null;
}

/** Locks the running rotation of a locked device, by its raw id. */
export async function lockRunningRotation(
  tx: Database,
  deviceId: string,
): Promise<RunningRotation | undefined> {
  const { rows } = await sql<RunningRotation>`
    select rotation_id as "rotationId", state, nonce, until, certificate_id as "certificateId"
    from certificate_rotations where device_id = ${deviceId} and ended_at is null for no key update`.execute(
    tx,
  );
  return rows[0];
}

/** A window that opens for a device. */
export interface NewWindow {
  readonly deviceId: string;
  readonly nonce: string;
}

/** Deletes the oldest rotations that have ended where a device has too many. */
export async function trimRotations(tx: Database, deviceIds: readonly string[]): Promise<void> {
  await sql`
    delete from certificate_rotations where rotation_id in (
      select ended.rotation_id from unnest(${[...deviceIds]}::text[]) as w(device_id) cross join lateral (
        select r.rotation_id from certificate_rotations r where r.device_id = w.device_id and r.ended_at is not null
        order by r.started_at desc, r.rotation_id desc offset ${amounts.endedRotations.max}
      ) as ended)`.execute(tx);
}

/** Opens windows for devices of a project; one that is open already is opened anew. */
export async function insertWindows(
  tx: Database,
  windows: readonly NewWindow[],
  of: {
    readonly projectId: string;
    readonly graceSecs: number;
    readonly reason: string | undefined;
    readonly startedBy: Actor;
    readonly now: Date;
    readonly until: Date;
  },
): Promise<void> {
  await trimRotations(
    tx,
    windows.map(({ deviceId }) => deviceId),
  );
  const rows = windows.map((window) => ({ ...window, rotationId: newRawId() }));
  await sql`
    insert into certificate_rotations (rotation_id, project_id, device_id, nonce, state, grace_secs, reason, started_by, started_at, until)
    select w."rotationId", ${of.projectId}, w."deviceId", w.nonce, 'Open', ${of.graceSecs}, ${of.reason ?? null},
      ${JSON.stringify(of.startedBy)}::jsonb, ${of.now}, ${of.until}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as w("rotationId" text, "deviceId" text, nonce text)
    on conflict (device_id) where ended_at is null do update set nonce = excluded.nonce, state = 'Open', grace_secs = excluded.grace_secs,
      reason = excluded.reason, started_by = excluded.started_by, started_at = excluded.started_at, until = excluded.until,
      certificate_id = null, announced_at = null, problem = null`.execute(tx);
}

/** Notes the certificate that the device announced. */
export async function recordAnnouncement(
  tx: Database,
  rotationId: string,
  certificateId: string,
  now: Date,
): Promise<void> {
  await sql`
    update certificate_rotations set state = 'Announced', certificate_id = ${certificateId}, announced_at = ${now}, problem = null
    where rotation_id = ${rotationId}`.execute(tx);
}

/** Notes why an announcement was refused. */
export async function recordRefusedAnnouncement(
  tx: Database,
  rotationId: string,
  problem: string,
): Promise<void> {
  await sql`update certificate_rotations set problem = ${problem} where rotation_id = ${rotationId}`.execute(
    tx,
  );
}

/** Ends a rotation; its old certificates stay. */
export async function endRotation(
  tx: Database,
  rotationId: string,
  state: 'Cancelled' | 'Expired' | 'RolledBack',
  now: Date,
): Promise<void> {
  await sql`
    update certificate_rotations set state = ${state}, ended_at = ${now}, old_ends_at = null where rotation_id = ${rotationId}`.execute(
    tx,
  );
}

/** Adds a certificate that a device announced as active; undefined where the device has it already, unless it is pending or is the one that was announced before. */
export async function addAnnounced(
  tx: Database,
  added: {
    readonly deviceId: string;
    readonly certificateId: string;
    readonly fingerprint: string;
    readonly announcedBefore: string | null;
  },
  now: Date,
): Promise<{ readonly certificateId: string; readonly isNew: boolean } | undefined> {
  const { rows } = await sql<{ certificateId: string; isNew: boolean }>`
    insert into device_certificates (certificate_id, device_id, fingerprint, status, created_at)
    values (${added.certificateId}, ${added.deviceId}, ${added.fingerprint}, 'Active', ${now})
    on conflict (device_id, fingerprint) do update set status = 'Active' where device_certificates.status = 'Pending'
      or (device_certificates.status = 'Active' and device_certificates.certificate_id = ${added.announcedBefore})
    returning certificate_id as "certificateId", certificate_id = ${added.certificateId} as "isNew"`.execute(
    tx,
  );
  return rows[0];
}

/** Whether the device has or had the certificate. */
export async function hasCertificate(tx: Database, deviceId: string, fingerprint: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from device_certificates where fingerprint = ${fingerprint} and device_id = ${deviceId}`.execute(
    tx,
  );
  return rows.length > 0;
}

/** Whether another device of this hub has or had the certificate. */
export async function isOfAnyOther(tx: Database, deviceId: string, fingerprint: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from device_certificates where fingerprint = ${fingerprint} and device_id <> ${deviceId} limit 1`.execute(
    tx,
  );
  return rows.length > 0;
}

/** Where a rotation goes next, all by raw ids. */
export interface DueRotation {
  readonly rotationId: string;
  readonly projectId: string;
  readonly deviceId: string;
  readonly certificateId: string | null;
  readonly next: 'Arrived' | 'Completed' | 'RolledBack' | 'Expired';
}

/** A shorter connection may have ended before the device knew that it had come, so that it puts the old certificate back. */
const provenAfterSecs = 60;

/**
 * The newest connection of the device, as `newest`, whether it is with the new certificate, and whether the device keeps it therefore. It is the one that note_added_connections wrote
 * last: the clock may have gone back between two. Before the first such one, it is the newest by the clock.
 */
const newest = sql`join all_devices d on d.device_id = r.device_id left join lateral (
  select c.certificate_id = r.certificate_id as is_new, c.ended_at is null as is_open,
    c.ended_at is null or c.ended_at >= c.connected_at + make_interval(secs => ${provenAfterSecs}) as is_proven
  from device_connections c
  where c.connection_id = coalesce(d.newest_connection, (
    select e.connection_id from device_connections e where e.device_id = r.device_id order by e.connected_at desc limit 1))
) as newest on true`;

/** SQL of the running rotations that go on now, with where they go. */
const due = (now: Date) => sql`
  select r.rotation_id as "rotationId", r.project_id as "projectId", r.device_id as "deviceId", r.certificate_id as "certificateId",
    case when newest.is_new and n.status = 'Active' then 'Completed' else 'RolledBack' end as next
    from certificate_rotations r left join device_certificates n using (certificate_id) ${newest}
    where r.state = 'Arrived' and r.old_ends_at <= ${now} and not coalesce(newest.is_new and n.status = 'Active' and not newest.is_proven, false)
  union all
  select r.rotation_id, r.project_id, r.device_id, r.certificate_id, 'Expired' from certificate_rotations r where r.state = 'Open' and r.until <= ${now}
  union all
  select r.rotation_id, r.project_id, r.device_id, r.certificate_id, case when newest.is_new then 'Arrived' else 'RolledBack' end
    from certificate_rotations r ${newest}
    where r.state = 'Announced' and (newest.is_new or (newest.is_open and r.until <= ${now}))`;

/** Reads the devices of rotations that go on now, in one order. */
export async function findDueRotations(tx: Database, now: Date, most: number): Promise<string[]> {
  const { rows } = await sql<{ deviceId: string }>`
    select "deviceId" from (${due(now)}) as d order by "deviceId" limit ${sql.lit(most)}`.execute(tx);
  return rows.map(({ deviceId }) => deviceId);
}

/** Reads where the rotations of locked devices go now. */
export async function readDueRotations(
  tx: Database,
  deviceIds: readonly string[],
  now: Date,
): Promise<DueRotation[]> {
  const { rows } = await sql<DueRotation>`
    select * from (${due(now)}) as d where "deviceId" = any(${[...deviceIds]})`.execute(tx);
  return rows;
}

/** Notes that devices came with their new certificates, from when on the old ones have their time of grace. */
export async function recordArrivals(tx: Database, rotationIds: readonly string[], now: Date): Promise<void> {
  await sql`
    update certificate_rotations set state = 'Arrived', arrived_at = ${now}, old_ends_at = ${now}::timestamptz + make_interval(secs => grace_secs)
    where rotation_id = any(${[...rotationIds]})`.execute(tx);
}

/** Revokes the certificates that devices had before those that they announced, ends their rotations, and returns what was revoked by raw ids. */
export async function revokeOld(
  tx: Database,
  rotationIds: readonly string[],
  now: Date,
): Promise<{ readonly certificateId: string; readonly deviceId: string }[]> {
  await sql`
    update certificate_rotations set state = 'Completed', ended_at = ${now} where rotation_id = any(${[...rotationIds]})`.execute(
    tx,
  );
  const { rows } = await sql<{ certificateId: string; deviceId: string }>`
    update device_certificates c set status = 'Revoked' from certificate_rotations r
    where r.rotation_id = any(${[...rotationIds]}) and c.device_id = r.device_id and c.status = 'Active'
      and c.certificate_id <> r.certificate_id and c.created_at <= r.announced_at
    returning c.certificate_id as "certificateId", c.device_id as "deviceId"`.execute(tx);
  return rows;
}
