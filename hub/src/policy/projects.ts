import { ids, type Actor, type Id } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';
import { forbidden, isAdministrator, mustBePerson, notFound } from './actors.ts';
import { administers, reachesProject, reachOf, tokenIdOf } from './token-bounds.ts';

/** The rights of the actor in a project that it may see. */
export interface ProjectAccess {
  /** The raw id of the project. */
  readonly projectId: string;
  /** Owners may do everything in a project; administrators count as owners. */
  readonly isOwner: boolean;
}

interface Relation {
  project_id: string;
  is_owner: boolean;
}

/** The actor as parameters of an SQL statement; the user by its raw id. */
function principalOf(actor: Actor): { userId: string | null; isSession: boolean; isSystem: boolean } {
  if (actor.actor === 'System') return { userId: null, isSession: false, isSystem: true };
  const person = mustBePerson(actor);
  return { userId: ids.user.raw(person.userId), isSession: person.actor === 'User', isSystem: false };
}

/** The relation of the actor to a project; undefined unless the actor is a member, or has the rights of an administrator, and its token reaches it. */
async function relationTo(
  tx: Database,
  actor: Actor,
  project: ReturnType<typeof sql>,
): Promise<Relation | undefined> {
  const { userId, isSession, isSystem } = principalOf(actor);
  const tokenId = tokenIdOf(actor);
  const isAdmin = sql`coalesce(u.is_admin and ${administers(isSession, tokenId)}, false)`;
  const { rows } = await sql<Relation>`
    select p.project_id, (coalesce(m.is_owner, false) or ${isAdmin} or ${isSystem}) as is_owner
    from projects p
    left join users u on u.user_id = ${userId}
    left join project_members m on m.project_id = p.project_id and m.user_id = ${userId}
    where p.project_id = ${project} and (m.user_id is not null or ${isAdmin} or ${isSystem})
      and ${reachesProject(tokenId, sql`p.project_id`)}`.execute(tx);
  return rows[0];
}

/** The rights of the actor in a project; undefined if it may not see the project. */
export async function findProjectAccess(
  tx: Database,
  actor: Actor,
  projectId: Id<'project'>,
): Promise<ProjectAccess | undefined> {
  const relation = await relationTo(tx, actor, sql`${ids.project.raw(projectId)}`);
  return relation && { projectId: relation.project_id, isOwner: relation.is_owner };
}

/** Requires an actor who may see the project. */
export async function mustSeeProject(
  tx: Database,
  actor: Actor,
  projectId: Id<'project'>,
): Promise<ProjectAccess> {
  const access = await findProjectAccess(tx, actor, projectId);
  if (access === undefined) throw notFound('Project');
  return access;
}

/** Requires a person who may see the project, for data that each person has there; adds the raw id of the user. */
export async function mustSeeProjectAsPerson(
  tx: Database,
  actor: Actor,
  projectId: Id<'project'>,
): Promise<ProjectAccess & { readonly userId: string }> {
  const { userId } = mustBePerson(actor);
  return { ...(await mustSeeProject(tx, actor, projectId)), userId: ids.user.raw(userId) };
}

/** Requires an owner of the project. */
export async function mustOwnProject(
  tx: Database,
  actor: Actor,
  projectId: Id<'project'>,
): Promise<ProjectAccess> {
  const access = await mustSeeProject(tx, actor, projectId);
  if (!access.isOwner) throw forbidden('Only an owner of the project may do this.');
  return access;
}

/** Requires an actor who may see the project of a deployment token. */
export async function mustSeeDeploymentToken(
  tx: Database,
  actor: Actor,
  tokenId: Id<'deploymentTokenId'>,
): Promise<ProjectAccess> {
  const project = sql`(select project_id from deployment_tokens where token_id = ${ids.deploymentTokenId.raw(tokenId)})`;
  const relation = await relationTo(tx, actor, project);
  if (relation === undefined) throw notFound('Deployment token');
  return { projectId: relation.project_id, isOwner: relation.is_owner };
}

/** Requires an owner of the project of an invitation. */
export async function mustOwnProjectInvitation(
  tx: Database,
  actor: Actor,
  invitationId: Id<'projectInvitation'>,
): Promise<ProjectAccess> {
  const project = sql`(select project_id from invitations where invitation_id = ${ids.projectInvitation.raw(invitationId)})`;
  const relation = await relationTo(tx, actor, project);
  if (relation === undefined) throw notFound('Invitation');
  if (!relation.is_owner) throw forbidden('Only an owner of the project may do this.');
  return { projectId: relation.project_id, isOwner: true };
}

/** Requires a user who may see the project of a device. */
export async function mustSeeDevice(
  tx: Database,
  actor: Actor,
  deviceId: Id<'device'>,
): Promise<ProjectAccess> {
  const project = sql`(select project_id from devices where device_id = ${ids.device.raw(deviceId)})`;
  const relation = await relationTo(tx, actor, project);
  if (relation === undefined) throw notFound('Device');
  return { projectId: relation.project_id, isOwner: relation.is_owner };
}

/** Requires a user who may see the project of the device of a certificate. */
export async function mustSeeCertificate(
  tx: Database,
  actor: Actor,
  certificateId: Id<'deviceCertificate'>,
): Promise<ProjectAccess> {
  const project = sql`(select d.project_id from device_certificates c join devices d using (device_id)
    where c.certificate_id = ${ids.deviceCertificate.raw(certificateId)})`;
  const relation = await relationTo(tx, actor, project);
  if (relation === undefined) throw notFound('Certificate');
  return { projectId: relation.project_id, isOwner: relation.is_owner };
}

/** Requires the device itself or a person who may see its project. */
export async function requireDeviceAccess(
  tx: Database,
  actor: Actor,
  deviceId: Id<'device'>,
): Promise<{ readonly projectId: string }> {
  if (actor.actor !== 'Device') return mustSeeDevice(tx, actor, deviceId);
  const row =
    actor.deviceId === deviceId
      ? await tx
          .selectFrom('devices')
          .select('project_id')
          .where('device_id', '=', ids.device.raw(deviceId))
          .executeTakeFirst()
      : undefined;
  if (row === undefined) throw notFound('Device');
  return { projectId: row.project_id };
}

/** Requires the device itself. */
export async function mustBeDevice(tx: Database, actor: Actor, deviceId: Id<'device'>): Promise<void> {
  await requireDeviceAccess(tx, actor, deviceId);
  if (actor.actor !== 'Device') throw forbidden('Only the device itself may do this.');
}

/** The filter of the projects that an actor sees in lists. */
export interface ProjectViewer {
  /** The raw id of the user whose projects are listed; undefined for administrators and the hub itself, who see all. */
  readonly memberId: string | undefined;
  /** The projects that the token of the actor reaches; undefined for all. */
  readonly projectIds?: readonly string[] | undefined;
}

/** The filter for the actor; requires a user or the hub itself. */
export async function findProjectViewer(tx: Database, actor: Actor): Promise<ProjectViewer> {
  const { userId } = principalOf(actor);
  if (userId === null || (await isAdministrator(tx, actor))) return { memberId: undefined };
  return { memberId: userId, projectIds: (await reachOf(tx, actor)).projectIds };
}
