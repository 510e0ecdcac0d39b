import { ids, type Actor, type Id } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { forbidden, mustBePerson, notFound } from '../../../auth/actors.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { planOnceValue } from '../../../platform/db/plan-once.ts';
import { isAdministrator, administers, reachesProject, reachOf, tokenIdOf } from '../../users/index.ts';

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

/** An actor as parameters of an SQL statement: the user and the user token by their raw ids. */
interface Principal {
  readonly userId: string | null;
  readonly tokenId: string | null;
  readonly isSession: boolean;
  readonly isSystem: boolean;
}

function principalOf(actor: Actor): Principal {
  if (actor.actor === 'System') return { userId: null, tokenId: null, isSession: false, isSystem: true };
  const person = mustBePerson(actor);
  return {
    userId: ids.user.raw(person.userId),
    tokenId: tokenIdOf(actor),
    isSession: person.actor === 'User',
    isSystem: false,
  };
}

/** SQL for the relation of a principal to a project: a row, unless it is neither a member nor has the rights of an administrator, or its token does not reach the project. */
function relations(
  { userId, tokenId, isSession, isSystem }: Principal,
  project: RawBuilder<unknown>,
): RawBuilder<Relation> {
  const isAdmin = sql`coalesce(u.is_admin and ${administers(isSession, tokenId)}, false)`;
  const isHub = planOnceValue(isSystem, 'boolean');
  return sql<Relation>`
    select p.project_id, (coalesce(m.is_owner, false) or ${isAdmin} or ${isHub}) as is_owner
    from projects p
    left join users u on u.user_id = ${userId}
    left join project_members m on m.project_id = p.project_id and m.user_id = ${userId}
    where p.project_id = ${project} and (m.user_id is not null or ${isAdmin} or ${isHub})
      and ${reachesProject(tokenId, sql`p.project_id`)}`;
}

/** A kind of entity in a project, as SQL: its id, and its table joined to one with the id of its project as `s`. */
interface Kind {
  readonly what: string;
  readonly id: RawBuilder<string>;
  readonly from: RawBuilder<unknown>;
}

const kinds = {
  project: { what: 'Project', id: sql`s.project_id`, from: sql`projects s` },
  device: { what: 'Device', id: sql`s.device_id`, from: sql`devices s` },
  certificate: {
    what: 'Certificate',
    id: sql`c.certificate_id`,
    from: sql`device_certificates c join devices s using (device_id)`,
  },
  deploymentToken: { what: 'Deployment token', id: sql`s.token_id`, from: sql`deployment_tokens s` },
  pairingKey: { what: 'Pairing key', id: sql`s.pairing_key_id`, from: sql`pairing_keys s` },
  invitation: { what: 'Invitation', id: sql`s.invitation_id`, from: sql`invitations s` },
  fleetOperation: {
    what: 'Operation',
    id: sql`s.fleet_operation_id`,
    from: sql`fleet_operations s`,
  },
  fleetJob: {
    what: 'Change',
    id: sql`s.change_id`,
    from: sql`(select * from fleet_changes where not is_pruned) s`,
  },
  webhook: { what: 'Webhook', id: sql`s.webhook_id`, from: sql`webhooks s` },
  terminal: { what: 'Terminal', id: sql`s.session_id`, from: sql`terminal_sessions s` },
  deviceOperation: {
    what: 'Operation',
    id: sql`o.device_operation_id`,
    from: sql`device_operations o join devices s using (device_id)`,
  },
} satisfies Record<string, Kind>;

/** The rights of an actor in the project of an entity, by its raw id; undefined if it may not see the project. */
async function findAccess(
  tx: Database,
  actor: Actor,
  kind: keyof typeof kinds,
  entityId: string,
): Promise<ProjectAccess | undefined> {
  const { id, from } = kinds[kind];
  const { rows } = await sql<Relation>`
    select relation.* from ${from}
    join lateral (${relations(principalOf(actor), sql`s.project_id`)}) as relation on true where ${id} = ${entityId}`.execute(
    tx,
  );
  const [relation] = rows;
  return relation && { projectId: relation.project_id, isOwner: relation.is_owner };
}

async function mustSee(
  tx: Database,
  actor: Actor,
  kind: keyof typeof kinds,
  id: string,
): Promise<ProjectAccess> {
  const access = await findAccess(tx, actor, kind, id);
  if (access === undefined) throw notFound(kinds[kind].what);
  return access;
}

/** Requires an owner. */
export function mustBeOwner(access: ProjectAccess): ProjectAccess {
  if (!access.isOwner) throw forbidden('Only an owner of the project may do this.');
  return access;
}

/** The rights of the actor in a project; undefined if it may not see the project. */
export function findProjectAccess(
  tx: Database,
  actor: Actor,
  projectId: Id<'project'>,
): Promise<ProjectAccess | undefined> {
  return findAccess(tx, actor, 'project', ids.project.raw(projectId));
}

/** Requires an actor who may see the project. */
export function mustSeeProject(tx: Database, actor: Actor, projectId: Id<'project'>): Promise<ProjectAccess> {
  return mustSee(tx, actor, 'project', ids.project.raw(projectId));
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
  return mustBeOwner(await mustSeeProject(tx, actor, projectId));
}

/** Requires an actor who may see the project of a deployment token. */
export function mustSeeDeploymentToken(
  tx: Database,
  actor: Actor,
  tokenId: Id<'deploymentTokenId'>,
): Promise<ProjectAccess> {
  return mustSee(tx, actor, 'deploymentToken', ids.deploymentTokenId.raw(tokenId));
}

/** Requires an owner of the project of a webhook: it takes what happens in the project elsewhere. */
export async function mustOwnWebhook(
  tx: Database,
  actor: Actor,
  webhookId: Id<'webhook'>,
): Promise<ProjectAccess> {
  return mustBeOwner(await mustSee(tx, actor, 'webhook', ids.webhook.raw(webhookId)));
}

/** Requires an owner of the project of a pairing key. */
export async function mustOwnPairingKey(
  tx: Database,
  actor: Actor,
  pairingKeyId: Id<'pairingKey'>,
): Promise<ProjectAccess> {
  return mustBeOwner(await mustSee(tx, actor, 'pairingKey', ids.pairingKey.raw(pairingKeyId)));
}

/** Requires an owner of the project of an invitation. */
export async function mustOwnProjectInvitation(
  tx: Database,
  actor: Actor,
  invitationId: Id<'projectInvitation'>,
): Promise<ProjectAccess> {
  return mustBeOwner(await mustSee(tx, actor, 'invitation', ids.projectInvitation.raw(invitationId)));
}

/** Requires a user who may see the project of a device. */
export function mustSeeDevice(tx: Database, actor: Actor, deviceId: Id<'device'>): Promise<ProjectAccess> {
  return mustSee(tx, actor, 'device', ids.device.raw(deviceId));
}

/** Requires a user who may see the project of the device of a certificate. */
export function mustSeeCertificate(
  tx: Database,
  actor: Actor,
  certificateId: Id<'deviceCertificate'>,
): Promise<ProjectAccess> {
  return mustSee(tx, actor, 'certificate', ids.deviceCertificate.raw(certificateId));
}

/** The rights of the actor in the project of an operation on a fleet; undefined if it may not see the project. */
export function findFleetOperationAccess(
  tx: Database,
  actor: Actor,
  operationId: Id<'fleetOperation'>,
): Promise<ProjectAccess | undefined> {
  return findAccess(tx, actor, 'fleetOperation', ids.fleetOperation.raw(operationId));
}

/** Requires a user who may see the project of an operation on a fleet. */
export function mustSeeFleetOperation(
  tx: Database,
  actor: Actor,
  operationId: Id<'fleetOperation'>,
): Promise<ProjectAccess> {
  return mustSee(tx, actor, 'fleetOperation', ids.fleetOperation.raw(operationId));
}

/** Requires a user who may see the project of a change of many devices. */
export function mustSeeFleetJob(tx: Database, actor: Actor, jobId: Id<'fleetJob'>): Promise<ProjectAccess> {
  return mustSee(tx, actor, 'fleetJob', ids.fleetJob.raw(jobId));
}

/** Requires a user who may see the project of a terminal. */
export function mustSeeTerminal(
  tx: Database,
  actor: Actor,
  sessionId: Id<'terminal'>,
): Promise<ProjectAccess> {
  return mustSee(tx, actor, 'terminal', ids.terminal.raw(sessionId));
}

/** Requires a user who may see the project of the device of an operation. */
export function mustSeeDeviceOperation(
  tx: Database,
  actor: Actor,
  operationId: Id<'deviceOperation'>,
): Promise<ProjectAccess> {
  return mustSee(tx, actor, 'deviceOperation', ids.deviceOperation.raw(operationId));
}

/** The rights of the actor in the project of the device of an operation; undefined if it may not see it. */
export function findDeviceOperationAccess(
  tx: Database,
  actor: Actor,
  operationId: Id<'deviceOperation'>,
): Promise<ProjectAccess | undefined> {
  return findAccess(tx, actor, 'deviceOperation', ids.deviceOperation.raw(operationId));
}

/** Requires the device itself or a person who may see its project. */
export async function mustHaveDeviceAccess(
  tx: Database,
  actor: Actor,
  deviceId: Id<'device'>,
): Promise<{ readonly projectId: string }> {
  if (actor.actor !== 'Device') return mustSeeDevice(tx, actor, deviceId);
  const projectId =
    actor.deviceId === deviceId ? await projectOfDevice(tx, ids.device.raw(deviceId)) : undefined;
  if (projectId === undefined) throw notFound('Device');
  return { projectId };
}

/** The raw id of the project of a device; undefined if there is no such device. */
async function projectOfDevice(tx: Database, deviceId: string): Promise<string | undefined> {
  const { rows } = await sql<{ readonly project_id: string }>`
    select project_id from devices where device_id = ${deviceId}`.execute(tx);
  return rows[0]?.project_id;
}

/** Requires the device itself. */
export async function mustBeDevice(tx: Database, actor: Actor, deviceId: Id<'device'>): Promise<void> {
  await mustHaveDeviceAccess(tx, actor, deviceId);
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
