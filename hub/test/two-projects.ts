import { ids, type Actor, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { newRawId, newRawSecret } from '../src/auth/random.ts';
import { hashSecret, lookupKey } from '../src/auth/secret.ts';
import { absentId, system, type FreshExecutor } from './fresh-executor.ts';
import type { NameKind } from './id-fields.ts';
import {
  newCertificate,
  newFingerprint,
  seedDevice,
  seedMember,
  seedNode,
  seedProject,
  seedUser,
  type SeededProject,
  type Somebody,
} from './seed.ts';
import { seedChange } from './seed-change.ts';
import { seedPublisher } from './seed-publisher.ts';
import { seedAlert } from './seed-alert.ts';
import { seedTerminal } from './seed-terminal.ts';
import { seedCertificateAuthority } from './seed-certificate-authority.ts';
import { seedPairingKey } from './seed-pairing-key.ts';
import { seedWebhook } from './seed-webhook.ts';
import { seedCatalogue, type Catalogue } from './seed-repository.ts';
import { AuthenticateDevice } from '../src/domains/devices/internal/AuthenticateDevice.ts';
import { RegisterDeviceConnection } from '../src/domains/devices/internal/RegisterDeviceConnection.ts';

/** The id of one entity of each kind. */
export type Things = Readonly<Record<NameKind, string>>;

/** A user with a live session and a token, both with their secrets. */
export interface Person {
  readonly actor: Somebody;
  readonly session: { readonly id: Id<'session'>; readonly secret: Id<'sessionToken'> };
  readonly token: { readonly id: Id<'userTokenId'>; readonly secret: Id<'userToken'> };
}

/** Starts a session without a password. A session of less than a second has already expired. */
export async function seedSession(hub: FreshExecutor, { userId }: Somebody, validForSecs = 3600) {
  const secret = newRawSecret();
  const expiresAt = new Date(hub.now().getTime() + validForSecs * 1000);
  await hub.database.db
    .insertInto('user_sessions')
    .values({
      session_id: lookupKey(secret),
      secret_hash: hashSecret(secret),
      user_id: ids.user.raw(userId),
      user_agent: 'browser',
      created_at: hub.now(),
      last_used_at: hub.now(),
      idle_timeout_secs: 3600,
      expires_at: expiresAt,
    })
    .execute();
  return { id: ids.session.of(lookupKey(secret)), secret: ids.sessionToken.of(secret) };
}

/** Creates a session and a token for a user. */
async function seedPerson(hub: FreshExecutor, actor: Somebody): Promise<Person> {
  const created = await hub.as(actor, 'users_CreateUserToken', { userId: actor.userId });
  return {
    actor,
    session: await seedSession(hub, actor),
    token: { id: created.tokenId as Id<'userTokenId'>, secret: created.token as Id<'userToken'> },
  };
}

/**
 * A project with two owners, a member, a linked repository and one entity of every kind. The reader is a member of the project only; the
 * invited user has not accepted.
 */
export async function seedWorld(hub: FreshExecutor) {
  const project = await seedProject(hub);
  const owner = await seedPerson(hub, project.owner);
  const colleague = await seedPerson(hub, await seedMember(hub, project, true));
  const member = await seedPerson(hub, await seedMember(hub, project));
  const reader = await seedPerson(hub, await seedMember(hub, project));
  const device = await seedDevice(hub, project);
  const catalogue = await seedCatalogue(hub, { owner: owner.actor });
  const publicCatalogue = await seedCatalogue(hub, { owner: owner.actor, visibility: 'Public' });
  const { repositoryId } = catalogue;
  const { projectId } = project;
  await hub.as(owner.actor, 'projects_AddProjectRepository', { projectId, repositoryId });
  for (const { repositoryId: of } of [catalogue, publicCatalogue])
    for (const { actor, isOwner } of [
      { actor: colleague.actor, isOwner: true },
      { actor: member.actor, isOwner: false },
    ])
      await hub.as(system, 'repositories_AddRepositoryMember', {
        repositoryId: of,
        userId: actor.userId,
        isOwner,
      });
  const { invited, invitations } = await seedInvited(hub, project.owner, { projectId, repositoryId });
  const certificate = await hub.as(project.owner, 'devices_AddDeviceCertificate', {
    deviceId: device.deviceId as Id<'device'>,
    fingerprint: newCertificate(),
  });
  const clusterNode = await seedNode(hub);
  const connection = await hub.run(RegisterDeviceConnection, {
    deviceId: device.deviceId as Id<'device'>,
    nodeId: clusterNode,
  });
  await hub.as(project.owner, 'devices_SetDeviceProperty', {
    deviceId: device.deviceId as Id<'device'>,
    name: 'x',
    value: 1,
  });
  const steps = [{ kind: 'SetDeviceProperty' as const, name: 'ring', value: 'canary' }];
  const deviceId = device.deviceId as Id<'device'>;
  const { deviceOperationId } = await hub.as(project.owner, 'devices_CreateOperation', {
    deviceId,
    name: 'x',
    steps,
  });
  const fleetOperationId = await seedFleetOperation(hub, project, deviceId);
  const jobId = await seedChange(hub, project, deviceId);
  for (const { actor } of [owner, colleague, member, reader])
    await hub.as(actor, 'projects_SaveView', { projectId, name: 'x' });
  const { events } = await hub.as(project.owner, 'projects_QueryAuditLog', { projectId: project.projectId });
  const things = {
    clusterNode,
    project: project.projectId,
    deploymentTokenId: device.tokenId,
    device: device.deviceId,
    deviceCertificate: certificate.certificateId,
    deviceConnection: connection.connectionId,
    deviceOperation: deviceOperationId,
    fleetOperation: fleetOperationId,
    ...(await seedPairingKey(hub, project)),
    ...(await seedCertificateAuthority(hub, project)),
    ...(await seedWebhook(hub, project)),
    ...(await seedAlert(hub, project, deviceId)),
    ...(await seedTerminal(hub, project, { deviceId, opener: member.actor })),
    fleetJob: jobId,
    ...namesOf(catalogue),
    ...invitations,
    auditEvent: events[0]?.eventId ?? '',
    auditAction: events.find(({ action }) => action !== undefined)?.action?.actionId ?? '',
  };
  const publicThings = namesOf(publicCatalogue);
  const path = pathOf(catalogue);
  const publicPath = pathOf(publicCatalogue);
  return {
    project,
    owner,
    colleague,
    member,
    reader,
    invited,
    device,
    things,
    publicThings,
    path,
    publicPath,
  };
}

/** An operation that runs in its first of two stages, on one device, which has changed and failed. */
async function seedFleetOperation(
  hub: FreshExecutor,
  { projectId, owner }: SeededProject,
  deviceId: Id<'device'>,
): Promise<Id<'fleetOperation'>> {
  const { fleetOperationId } = await hub.as(owner, 'fleet_CreateOperation', {
    projectId,
    name: 'x',
    selector: { deviceIds: [deviceId], predicates: [] },
    stages: [{ name: 'one', percentage: 50 }, { name: 'all' }],
    steps: [{ kind: 'RemoveDeviceProperty', name: 'ring' }],
  });
  await hub.as(owner, 'fleet_StartOperation', { fleetOperationId });
  const now = hub.now();
  await sql`
    with failed as (
      update device_operations set status = 'Failed' where fleet_operation_id = ${ids.fleetOperation.raw(fleetOperationId)} returning device_operation_id
    ), removed as (
      insert into removed_device_properties (device_id, name, version, removed_at) values (${ids.device.raw(deviceId)}, 'ring', 1, ${now})
    )
    insert into device_operation_steps (device_operation_id, step_index, kind, status, undo, started_at, completed_at)
    select device_operation_id, 0, 'RemoveDeviceProperty', 'Succeeded', '{"value":1,"protected":false,"version":1}', ${now}, ${now} from failed`.execute(
    hub.database.db,
  );
  return fleetOperationId;
}

async function seedInvited(
  hub: FreshExecutor,
  owner: Somebody,
  { projectId, repositoryId }: { projectId: Id<'project'>; repositoryId: Id<'repository'> },
) {
  const email = `${newRawId().toLowerCase()}@example.org`;
  const invited = await seedPerson(hub, await seedUser(hub, email));
  const project = await hub.as(owner, 'projects_InviteProjectMember', { projectId, email });
  const repository = await hub.as(owner, 'repositories_InviteRepositoryMember', { repositoryId, email });
  const invitations = {
    projectInvitation: project.invitationId,
    repositoryInvitation: repository.invitationId,
    publisher: await seedPublisher(hub, owner, repositoryId),
  };
  return { invited, invitations };
}

/** The names of what `seedCatalogue` makes. */
function pathOf({ repository }: Catalogue) {
  return { repository: repository.name, package: 'base-image', tag: 'v1', filename: 'x' };
}

function namesOf(catalogue: Catalogue) {
  const { repositoryId, packageId, versionId, assetId } = catalogue;
  return { repository: repositoryId, package: packageId, packageVersion: versionId, asset: assetId };
}

/** See `seedWorld`. */
export type World = Awaited<ReturnType<typeof seedWorld>>;

/** One entity of each kind: those of the project, and those of the user. */
export function thingsOf({ things }: World, { actor, session, token }: Person): Things {
  const organization = ids.organization.of(ids.user.raw(actor.userId));
  return { ...things, user: actor.userId, organization, session: session.id, userTokenId: token.id };
}

/** Well-formed ids that no row has. */
export function absentName(kind: NameKind): string {
  if (
    kind === 'auditEvent' ||
    kind === 'auditAction' ||
    kind === 'webhookMessage' ||
    kind === 'alert' ||
    kind === 'terminal'
  )
    return ids[kind].of('20261120-1100-AAAAAAAA');
  return absentId(kind);
}

/** A user whom the owner removed from a project. */
export async function seedExMember(hub: FreshExecutor, project: SeededProject): Promise<Person> {
  const gone = await seedPerson(hub, await seedMember(hub, project));
  const { projectId } = project;
  await hub.as(project.owner, 'projects_RemoveProjectMember', { projectId, userId: gone.actor.userId });
  return gone;
}

/** A user without a project. */
export async function seedStranger(hub: FreshExecutor, isAdmin = false): Promise<Person> {
  return seedPerson(hub, await seedUser(hub, `${newRawId()}@example.org`, isAdmin));
}

/** Admits a device of a project whose certificate has the given status, and returns the hub's answer. */
export async function enterWithCertificate(
  hub: FreshExecutor,
  { projectId, owner }: SeededProject,
  status: 'Pending' | 'Rejected' | 'Revoked',
): Promise<Actor> {
  const { token } = await hub.as(owner, 'projects_CreateDeploymentToken', {
    projectId,
    name: status,
    flags: { autoAccept: status === 'Revoked' },
  });
  const shown = { token, fingerprint: newFingerprint(), certificate: newCertificate() };
  await hub.run(AuthenticateDevice, shown).catch(() => undefined);
  const row = await hub.database.db
    .selectFrom('device_certificates')
    .select('certificate_id')
    .where('fingerprint', '=', shown.certificate)
    .executeTakeFirstOrThrow();
  const certificateId = ids.deviceCertificate.of(row.certificate_id);
  if (status !== 'Pending')
    await hub.as(owner, 'devices_SetDeviceCertificateStatus', { certificateId, status });
  return (await hub.run(AuthenticateDevice, shown)).actor;
}
