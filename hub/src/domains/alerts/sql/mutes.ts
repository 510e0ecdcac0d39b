import { ActionError, FilterError, nextWindow, type Actor, type MaintenanceWindow } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { newRawId } from '../../../auth/random.ts';
import { amounts } from '../../../limits/amounts.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { readDeviceFilter } from '../../devices/index.ts';

/** What is muted now: alerts that fit all that is given, or all alerts of the place. */
export interface ActiveMute {
  /** Raw, as the next. */
  readonly ruleId: string | null;
  readonly deviceId: string | null;
  readonly filter: string | null;
  /** Until when, for now. */
  readonly endsAt: Date;
}

/** Whose mutes, by the raw id of the project; null for those of the instance. The statement's table is `m`. */
export function mutesOfPlace(projectId: string | null): RawBuilder<boolean> {
  return projectId === null ? sql<boolean>`m.project_id is null` : sql<boolean>`m.project_id = ${projectId}`;
}

interface MuteRow {
  readonly rule_id: string | null;
  readonly device_id: string | null;
  readonly filter: string | null;
  readonly until: string | null;
  readonly daily_window: MaintenanceWindow | null;
}

/** What is muted at a time in a project, by its raw id, or in the instance. */
export async function readActiveMutes(
  tx: Database,
  projectId: string | null,
  now: Date,
): Promise<ActiveMute[]> {
  const { rows } = await sql<MuteRow>`
    select m.rule_id, m.device_id, m.filter, m.until, m.daily_window from alert_mutes m
    where ${mutesOfPlace(projectId)} and (m.until is null or m.until > ${now}) order by m.mute_id`.execute(
    tx,
  );
  return rows.flatMap(({ rule_id: ruleId, device_id: deviceId, filter, until, daily_window: window }) => {
    const { opensAt, closesAt } =
      window === null ? { opensAt: now, closesAt: until } : nextWindow(window, now);
    return closesAt === null || opensAt > now
      ? []
      : [{ ruleId, deviceId, filter, endsAt: new Date(closesAt) }];
  });
}

/** An alert, by the raw id of its rule, and what it is about. */
interface Mutable {
  readonly rule_id: string;
  readonly subject: string;
}

/** Where alerts are, and when; the filters of mutes are read through `db`. */
interface Scope {
  readonly projectId: string | null;
  readonly now: Date;
  readonly db: Database;
}

/** A function that says whether an alert of these is muted. A filter that names what is no more mutes nothing. */
export async function findMuted(
  tx: Database,
  alerts: readonly Mutable[],
  { projectId, now, db }: Scope,
): Promise<(alert: Mutable) => boolean> {
  const mutes = await readActiveMutes(tx, projectId, now);
  const filters = [...new Set(mutes.flatMap(({ filter }) => filter ?? []))];
  const subjects = alerts.map(({ subject }) => subject);
  const fitting =
    projectId === null || filters.length === 0
      ? new Map<string, ReadonlySet<string>>()
      : await devicesThatFit(tx, { filters, subjects }, { projectId, now, db });
  return ({ rule_id: rule, subject }) =>
    mutes.some(
      ({ ruleId, deviceId, filter }) =>
        (ruleId === null || ruleId === rule) &&
        (deviceId === null || deviceId === subject) &&
        (filter === null || fitting.get(filter)?.has(subject) === true),
    );
}

async function devicesThatFit(
  tx: Database,
  { filters, subjects }: { readonly filters: readonly string[]; readonly subjects: readonly string[] },
  scope: { readonly projectId: string; readonly now: Date; readonly db: Database },
): Promise<Map<string, ReadonlySet<string>>> {
  const found = new Map<string, ReadonlySet<string>>();
  for (const text of filters) {
    const filter = await readDeviceFilter(tx, text, scope).catch((error: unknown) => {
      if (error instanceof FilterError) return { ofEach: undefined, inSets: sql<boolean>`false` };
      throw error;
    });
    const passes = filter === undefined ? sql`true` : (filter.ofEach ?? filter.inSets);
    const { rows } = await sql<{ device_id: string }>`
      select d.device_id from devices d where d.project_id = ${scope.projectId}
        and d.device_id in (select jsonb_array_elements_text(${JSON.stringify(subjects)}::jsonb)) and ${passes}`.execute(
      tx,
    );
    found.set(text, new Set(rows.map(({ device_id: id }) => id)));
  }
  return found;
}

/** What is to be muted; ids are raw. */
interface NewMute {
  readonly projectId: string | null;
  readonly ruleId: string | undefined;
  readonly deviceId: string | undefined;
  readonly filter: string | undefined;
  readonly until: string | undefined;
  readonly window: MaintenanceWindow | undefined;
  readonly reason: string | undefined;
  readonly actor: Actor;
  readonly now: Date;
}

/** Adds a mute and returns its raw id; those of the place that have ended go. Throws an `ActionError` of kind Invalid where there are too many. */
export async function addMute(tx: Database, mute: NewMute): Promise<string> {
  const { projectId, ruleId, deviceId, filter, until, window, reason, actor, now } = mute;
  await sql`select 1 from projects where project_id = ${projectId} for no key update`.execute(tx);
  await sql`delete from alert_mutes m where ${mutesOfPlace(projectId)} and m.until <= ${now}`.execute(tx);
  const muteId = newRawId();
  const { max } = amounts.alertMutes;
  const { numAffectedRows } = await sql`
    insert into alert_mutes (mute_id, project_id, rule_id, device_id, filter, until, daily_window, reason, created_by, created_at)
    select ${muteId}, ${projectId}, ${ruleId ?? null}, ${deviceId ?? null}, ${filter ?? null}, ${until ?? null},
      ${window === undefined ? null : JSON.stringify(window)}::jsonb, ${reason ?? null}, ${JSON.stringify(actor)}::jsonb, ${now}
    where (select count(*) from alert_mutes m where ${mutesOfPlace(projectId)}) < ${max}`.execute(tx);
  if (numAffectedRows !== 1n)
    throw new ActionError('Invalid', `At most ${max} mutes may be there at the same time. End one first.`);
  return muteId;
}

/** Deletes a mute, by its raw id; undefined if there is none any more. */
export async function deleteMute(
  tx: Database,
  muteId: string,
): Promise<{ readonly isOfDevices: boolean } | undefined> {
  const { rows } = await sql<{ isOfDevices: boolean }>`
    delete from alert_mutes where mute_id = ${muteId}
    returning (device_id is not null or filter is not null) as "isOfDevices"`.execute(tx);
  return rows[0];
}
