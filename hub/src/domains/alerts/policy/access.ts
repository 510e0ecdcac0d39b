import { ids, type Actor, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { forbidden, mustBePerson, notFound } from '../../../auth/actors.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { findProjectAccess, mustOwnProject, mustSeeProject } from '../../projects/index.ts';
import { isAdministrator, mustBeAdministrator } from '../../users/index.ts';

/** The rights of an actor where rules are: in a project, or in the instance, whose administrators have those of owners. */
export interface Place {
  /** The raw id of the project; null for the instance. */
  readonly projectId: string | null;
  readonly isOwner: boolean;
}

/** The place of a rule, and its raw id. */
export interface RulePlace extends Place {
  readonly ruleId: string;
}

interface Kind {
  readonly what: string;
  readonly table: string;
  readonly key: string;
}

const rules: Kind = { what: 'Alert rule', table: 'alert_rules', key: 'rule_id' };
const mutes: Kind = { what: 'Mute', table: 'alert_mutes', key: 'mute_id' };

const instance: Place = { projectId: null, isOwner: true };

/** Requires an actor who may see a project, or without one an administrator. */
export async function mustSeePlace(
  tx: Database,
  actor: Actor,
  projectId: Id<'project'> | undefined,
): Promise<Place> {
  if (projectId !== undefined) return mustSeeProject(tx, actor, projectId);
  await mustBeAdministrator(tx, actor);
  return instance;
}

/** Requires an owner of a project, or without one an administrator. */
export async function mustOwnPlace(
  tx: Database,
  actor: Actor,
  projectId: Id<'project'> | undefined,
): Promise<Place> {
  return projectId === undefined ? mustSeePlace(tx, actor, projectId) : mustOwnProject(tx, actor, projectId);
}

/** Requires an actor who may see a rule. */
export async function mustSeeRule(tx: Database, actor: Actor, ruleId: Id<'alertRule'>): Promise<RulePlace> {
  const rawId = ids.alertRule.raw(ruleId);
  return { ...(await mustSeeRow(tx, actor, rules, rawId)), ruleId: rawId };
}

/** Requires an owner of the project of a rule; of a rule of the instance an administrator. */
export async function mustOwnRule(tx: Database, actor: Actor, ruleId: Id<'alertRule'>): Promise<RulePlace> {
  const place = await mustSeeRule(tx, actor, ruleId);
  mustOwn(place);
  return place;
}

/** Requires an actor who may see a mute. */
export function mustSeeMute(tx: Database, actor: Actor, muteId: Id<'alertMute'>): Promise<Place> {
  return mustSeeRow(tx, actor, mutes, ids.alertMute.raw(muteId));
}

/** Requires an owner. */
export function mustOwn({ isOwner }: Place): void {
  if (!isOwner) throw forbidden('Only an owner of the project may do this.');
}

async function mustSeeRow(
  tx: Database,
  actor: Actor,
  { what, table, key }: Kind,
  id: string,
): Promise<Place> {
  if (actor.actor !== 'System') mustBePerson(actor);
  const { rows } = await sql<{ project_id: string | null }>`
    select project_id from ${sql.table(table)} where ${sql.ref(key)} = ${id}`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw notFound(what);
  const place =
    row.project_id === null
      ? (await isAdministrator(tx, actor)) && instance
      : await findProjectAccess(tx, actor, ids.project.of(row.project_id));
  if (place === undefined || place === false) throw notFound(what);
  return place;
}
