import { randomBytes } from 'node:crypto';
import { ids, randomSymbols, type Actor, type CallInput, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { newRawId } from '../src/auth/random.ts';
import { type FreshExecutor } from './fresh-executor.ts';
import { RegisterClusterNode } from '../src/domains/instance/internal/RegisterClusterNode.ts';
import { AuthenticateDevice } from '../src/domains/devices/internal/AuthenticateDevice.ts';

/** The actor of a user's session. */
export type Somebody = Extract<Actor, { actor: 'User' }>;

/** Inserts a user without a password and returns its actor. */
export async function seedUser(
  hub: Pick<FreshExecutor, 'database' | 'now'>,
  email: string,
  isAdmin = false,
): Promise<Somebody> {
  const rawId = newRawId();
  await hub.database.db
    .insertInto('users')
    .values({ user_id: rawId, email, is_admin: isAdmin, created_at: hub.now() })
    .execute();
  return { actor: 'User', kind: 'User', userId: ids.user.of(rawId) };
}

/** The actor of a new user token of the same user, by default without bounds. */
export async function byToken(
  hub: FreshExecutor,
  owner: Somebody,
  bounds: Omit<CallInput<'users_CreateUserToken'>, 'userId'> = {},
): Promise<Extract<Actor, { actor: 'UserToken' }>> {
  const { userId } = owner;
  const { tokenId } = await hub.as(owner, 'users_CreateUserToken', { userId, ...bounds });
  return { actor: 'UserToken', kind: 'UserToken', userId, tokenId };
}

/** A project with its owner. */
export interface SeededProject {
  readonly projectId: Id<'project'>;
  readonly owner: Somebody;
}

/** Creates a project owned by a new user. */
export async function seedProject(hub: FreshExecutor, name = 'Plant'): Promise<SeededProject> {
  const owner = await seedUser(hub, `${newRawId()}@example.org`);
  const { projectId } = await hub.as(owner, 'projects_CreateProject', { name });
  return { projectId, owner };
}

/** Adds a new user to a project, by default not as an owner. */
export async function seedMember(
  hub: FreshExecutor,
  { projectId }: SeededProject,
  isOwner = false,
): Promise<Somebody> {
  const member = await seedUser(hub, `${newRawId()}@example.org`);
  await hub.database.db
    .insertInto('project_members')
    .values({
      project_id: ids.project.raw(projectId),
      user_id: ids.user.raw(member.userId),
      is_owner: isOwner,
      added_at: hub.now(),
    })
    .execute();
  return member;
}

/** A deployment token of a project, with its secret. */
export function seedToken(hub: FreshExecutor, { projectId, owner }: SeededProject, autoAccept = true) {
  return hub.as(owner, 'projects_CreateDeploymentToken', {
    projectId,
    name: 'line 1',
    flags: { autoAccept },
  });
}

/** A device fingerprint that no device has. */
export function newFingerprint(): Id<'deviceFingerprint'> {
  return ids.deviceFingerprint.of(randomSymbols(44, randomBytes));
}

/** The fingerprint of a certificate that no device has. */
export function newCertificate(): string {
  return [...randomBytes(32)].map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(':');
}

/** Registers a cluster node and returns its id. */
export async function seedNode(hub: FreshExecutor, name?: string): Promise<Id<'clusterNode'>> {
  const { nodeId } = await hub.run(RegisterClusterNode, name === undefined ? {} : { name });
  return nodeId;
}

/** Admits a new device with an accepting token and returns its ids. */
export async function seedDevice(hub: FreshExecutor, project: SeededProject) {
  const { token } = await seedToken(hub, project);
  const shown = { token, fingerprint: newFingerprint(), certificate: newCertificate() };
  const admission = await hub.run(AuthenticateDevice, shown);
  return { ...admission, shown };
}

/** The number of locks that statements in this database are waiting for. Not for a transaction: it keeps seeing the processes of its first look. */
export async function waitingLocks(db: FreshExecutor['database']['db']): Promise<number> {
  const { rows } = await sql`
    select 1 from pg_locks l join pg_stat_activity a using (pid)
    where not l.granted and a.datname = current_database()`.execute(db);
  return rows.length;
}
