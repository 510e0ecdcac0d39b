import { ids, type Actor, type Output } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { planEachTime, type Database } from '../../../../platform/db/connect.ts';
import { quotaSql } from '../../../../platform/db/quota-sql.ts';
import { readDeviceRoom } from '../../../projects/index.ts';
import { waitingForApprovalBy } from '../../../terminals/index.ts';
import { unresolved } from '../certificate-rotations.ts';
import { deviceLabel } from '../shown-name.ts';
import { isSilent } from '../silences.ts';

type Need = Output<'projects_GetOverview'>['needs'][number];

/** Whose needs are read. */
interface Place {
  /** The raw id of the project. */
  readonly projectId: string;
  readonly actor: Actor;
  readonly now: Date;
}

/** The share of a quota at which somebody should know. */
const nearlyFull = 0.9;
const hourMs = 3_600_000;
const endsSoonMs = 7 * 24 * hourMs;
const authorityEndsSoonMs = 60 * 24 * hourMs;

/** What a person should look at in a project, the most urgent first. */
export async function readNeeds(tx: Database, of: Place): Promise<Need[]> {
  const needs = [
    await waitingTerminals(tx, of),
    await pendingCertificates(tx, of),
    await endingCertificates(tx, of),
    await endingAuthorities(tx, of),
    await failedRotations(tx, of),
    await eventQuota(tx, of),
    await deviceQuota(tx, of),
    await silentDevices(tx, of),
    await expiringTokens(tx, of),
  ];
  return needs.filter((need) => need !== undefined);
}

interface Found {
  readonly count: number;
  readonly at: string | null;
  readonly names: string[] | null;
}

/** Counts rows of `found`, with the first time and the first names in its order. */
async function findNeed(tx: Database, found: RawBuilder<unknown>): Promise<Found | undefined> {
  const { rows } = await sql<Found>`
    ${sql.raw(planEachTime)}
    with found as materialized (${found})
    select (select count(*) from found) as count, (select min(at) from found) as at,
      (select array_agg(name order by at, name) from (select name, at from found order by at, name limit 3) as first) as names`.execute(
    tx,
  );
  return rows[0] !== undefined && rows[0].count > 0 ? rows[0] : undefined;
}

async function pendingCertificates(tx: Database, { projectId }: Place): Promise<Need | undefined> {
  const need = await findNeed(
    tx,
    sql`select ${deviceLabel} as name, min(c.created_at) as at from devices d join device_certificates c using (device_id)
      where d.project_id = ${projectId} and d.pending_certificates > 0 and c.status = 'Pending' group by d.device_id, 1`,
  );
  return need && { kind: 'PendingCertificates', ...sinceOf(need) };
}

/** Only for a person in a session: no token approves. */
async function waitingTerminals(tx: Database, { projectId, actor, now }: Place): Promise<Need | undefined> {
  if (actor.actor !== 'User') return undefined;
  const need = await findNeed(tx, waitingForApprovalBy(ids.user.raw(actor.userId), projectId, now));
  return need && { kind: 'WaitingTerminals', ...sinceOf(need) };
}

/** With less left than agents leave; those of short-lived certificates always end within a week. */
async function endingCertificates(tx: Database, { projectId, now }: Place): Promise<Need | undefined> {
  const { rows } = await sql<{ days: number }>`
    select certificate_days as days from projects where project_id = ${projectId} and demands_certificates`.execute(
    tx,
  );
  if (rows[0] === undefined) return undefined;
  const hours = Math.min(endsSoonMs / hourMs, rows[0].days * 6);
  const need = await findNeed(
    tx,
    sql`select ${deviceLabel} as name, min(c.ends_at) as at from devices d join device_certificates c using (device_id)
      where d.project_id = ${projectId} and c.status = 'Active' and c.ends_at < ${new Date(now.getTime() + hours * hourMs)}
      group by d.device_id, 1`,
  );
  return need && { kind: 'EndingCertificates', ...untilOf(need), filter: `certEnds<${hours}h` };
}

async function endingAuthorities(tx: Database, { projectId, now }: Place): Promise<Need | undefined> {
  const soon = new Date(now.getTime() + authorityEndsSoonMs);
  const need = await findNeed(
    tx,
    sql`select name, ends_at as at from certificate_authorities where project_id = ${projectId} and ends_at < ${soon}`,
  );
  return need && { kind: 'EndingAuthorities', ...untilOf(need) };
}

async function failedRotations(tx: Database, { projectId }: Place): Promise<Need | undefined> {
  const need = await findNeed(
    tx,
    sql`select ${deviceLabel} as name, r.ended_at as at from certificate_rotations r join devices d using (device_id)
      where r.project_id = ${projectId} and d.project_id = ${projectId} and ${unresolved}`,
  );
  return need && { kind: 'FailedRotations', ...sinceOf(need) };
}

async function silentDevices(tx: Database, { projectId, now }: Place): Promise<Need | undefined> {
  const need = await findNeed(
    tx,
    sql`select ${deviceLabel} as name, d.last_seen_at as at from devices d where d.project_id = ${projectId} and ${isSilent(now)}`,
  );
  return need && { kind: 'SilentDevices', ...sinceOf(need) };
}

function sinceOf({ count, at, names }: Found): Pick<Need, 'count' | 'since' | 'names'> {
  return { count, ...(at === null ? {} : { since: at }), names: names ?? [] };
}

function untilOf({ count, at, names }: Found): Pick<Need, 'count' | 'until' | 'names'> {
  return { count, ...(at === null ? {} : { until: at }), names: names ?? [] };
}

/** Few devices send many events; their rows are found before their projects. */
async function eventQuota(tx: Database, { projectId, now }: Place): Promise<Need | undefined> {
  const day = now.toISOString().slice(0, 10);
  const need = await findNeed(
    tx,
    sql`select ${deviceLabel} as name, null::timestamptz as at from (
        select device_id from device_event_days where day = ${day}::date
          and (events >= ${nearlyFull}::float8 * ${quotaSql('deviceEventsPerDay')} or event_bytes >= ${nearlyFull}::float8 * ${quotaSql('deviceEventBytesPerDay')})
      ) as busy join devices d using (device_id) where d.project_id = ${projectId}`,
  );
  return need && { kind: 'EventQuota', count: need.count, names: need.names ?? [] };
}

async function deviceQuota(tx: Database, { projectId }: Place): Promise<Need | undefined> {
  const { devices, maxDevices } = await readDeviceRoom(tx, projectId);
  if (devices < nearlyFull * maxDevices) return undefined;
  return { kind: 'DeviceQuota', count: devices, max: maxDevices, names: [] };
}

/** Only for a person in a session: a token does not see the others. */
async function expiringTokens(tx: Database, { projectId, actor, now }: Place): Promise<Need | undefined> {
  if (actor.actor !== 'User') return undefined;
  const need = await findNeed(
    tx,
    sql`select coalesce(name, 'u_pk_' || token_id) as name, expires_at as at from user_tokens
      where user_id = ${ids.user.raw(actor.userId)} and expires_at > ${now} and expires_at < ${new Date(now.getTime() + endsSoonMs)}
        and (project_ids is null or ${projectId} = any(project_ids))`,
  );
  return need && { kind: 'ExpiringTokens', ...untilOf(need) };
}
