import { ids, type Actor, type Id } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { forbidden, mustBePerson, notFound, notSignedIn } from '../../../auth/actors.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { planOnceValue } from '../../../platform/db/plan-once.ts';
import { administers, reachesProject, reachesRepository, tokenIdOf } from '../../users/index.ts';

/** The rights of the actor in a repository that it may read. */
export interface RepositoryAccess {
  /** The raw id of the repository. */
  readonly repositoryId: string;
  readonly isPublic: boolean;
  /** Members may write, and see members, links and the log; administrators by session count as members. */
  readonly isMember: boolean;
  /** Owners may also change the repository itself; administrators by session count as owners. */
  readonly isOwner: boolean;
}

/** The rights of the actor in the repository of a package, by its raw id. */
export interface PackageAccess extends RepositoryAccess {
  readonly packageId: string;
}

/** The rights of the actor in the repository of a version, by its raw id. */
export interface VersionAccess extends PackageAccess {
  readonly versionId: string;
}

/** The rights of the actor in the repository of an asset, by its raw id. */
export interface AssetAccess extends RepositoryAccess {
  readonly assetId: string;
}

/** An actor as parameters of the SQL conditions below. */
export interface Reader {
  /** The raw id of the user; null for others. */
  readonly userId: string | null;
  readonly isSession: boolean;
  /** The raw id of the user token; null for others. */
  readonly tokenId: string | null;
  /** The raw id of the device; null for others. */
  readonly deviceId: string | null;
  readonly isHub: boolean;
}

/** The reader for requests by path, where anonymous actors may read public repositories. */
export function findPathReader(actor: Actor): Reader {
  const anonymous = { userId: null, isSession: false, tokenId: null, deviceId: null, isHub: false };
  if (actor.actor === 'Anonymous') return anonymous;
  if (actor.actor === 'System') return { ...anonymous, isHub: true };
  if (actor.actor === 'Device') return { ...anonymous, deviceId: ids.device.raw(actor.deviceId) };
  const person = mustBePerson(actor);
  return {
    ...anonymous,
    userId: ids.user.raw(person.userId),
    isSession: person.actor === 'User',
    tokenId: tokenIdOf(actor),
  };
}

/** The reader for actions; throws for anonymous actors. */
export function findReader(actor: Actor): Reader {
  if (actor.actor === 'Anonymous') throw notSignedIn();
  return findPathReader(actor);
}

const isAdministrator = ({ userId, isSession, tokenId, isHub }: Reader): RawBuilder<boolean> =>
  sql<boolean>`(${planOnceValue(isHub, 'boolean')} or (${administers(isSession, tokenId)}
    and exists (select 1 from users where user_id = ${planOnceValue(userId, 'text')} and is_admin)))`;

/**
 * The condition that the reader may read the statement's `repositories r`: everybody a public one; members, administrators, and people and devices
 * of a linked project a private one.
 */
export function isReadable(reader: Reader): RawBuilder<boolean> {
  const { tokenId } = reader;
  const [userId, deviceId] = [planOnceValue(reader.userId, 'text'), planOnceValue(reader.deviceId, 'text')];
  return sql<boolean>`(r.visibility = 'Public'
    or exists (select 1 from repository_members where repository_id = r.repository_id and user_id = ${userId}
      and ${reachesRepository(tokenId, sql`r.repository_id`)})
    or exists (select 1 from project_repositories l join project_members pm using (project_id)
      where l.repository_id = r.repository_id and pm.user_id = ${userId}
      and ${reachesRepository(tokenId, sql`r.repository_id`)} and ${reachesProject(tokenId, sql`l.project_id`)})
    or exists (select 1 from project_repositories l join devices d using (project_id)
      where l.repository_id = r.repository_id and d.device_id = ${deviceId})
    or ${isAdministrator(reader)})`;
}

/** The condition that the reader may write into the statement's `repositories r`: its members and administrators. */
export function isWritable(reader: Reader): RawBuilder<boolean> {
  return sql<boolean>`(exists (select 1 from repository_members where repository_id = r.repository_id
    and user_id = ${planOnceValue(reader.userId, 'text')} and ${reachesRepository(reader.tokenId, sql`r.repository_id`)})
    or ${isAdministrator(reader)})`;
}

/** A kind of entity in a repository, as SQL: its id, its table joined with `repositories r`, and the columns of its access object. */
interface Kind {
  readonly what: string;
  readonly id: RawBuilder<string>;
  readonly columns: RawBuilder<unknown>;
  readonly from: RawBuilder<unknown>;
}

const kinds = {
  repository: {
    what: 'Repository',
    id: sql`r.repository_id`,
    columns: sql`r.repository_id as "repositoryId"`,
    from: sql`repositories r`,
  },
  package: {
    what: 'Package',
    id: sql`p.package_id`,
    columns: sql`r.repository_id as "repositoryId", p.package_id as "packageId"`,
    from: sql`packages p join repositories r using (repository_id)`,
  },
  version: {
    what: 'Version',
    id: sql`v.version_id`,
    columns: sql`r.repository_id as "repositoryId", v.package_id as "packageId", v.version_id as "versionId"`,
    from: sql`package_versions v join repositories r using (repository_id)`,
  },
  asset: {
    what: 'Asset',
    id: sql`a.asset_id`,
    columns: sql`r.repository_id as "repositoryId", a.asset_id as "assetId"`,
    from: sql`assets a join repositories r using (repository_id)`,
  },
  invitation: {
    what: 'Invitation',
    id: sql`i.invitation_id`,
    columns: sql`r.repository_id as "repositoryId"`,
    from: sql`invitations i join repositories r using (repository_id)`,
  },
} satisfies Record<string, Kind>;

/** The rights of a reader in an entity, by its raw id; undefined if it may not read the entity. */
async function findAccess(
  tx: Database,
  kind: keyof typeof kinds,
  entityId: string,
  reader: Reader,
): Promise<RepositoryAccess | undefined> {
  const { id, columns, from } = kinds[kind];
  const ownership = sql`(select is_owner from repository_members where repository_id = r.repository_id and user_id = ${planOnceValue(reader.userId, 'text')}
    and ${reachesRepository(reader.tokenId, sql`r.repository_id`)})`;
  const { rows } = await sql<RepositoryAccess>`
    select found.*, (is_administrator or membership is not null) as "isMember",
      (is_administrator or coalesce(membership, false)) as "isOwner"
    from (
      select ${columns}, r.visibility = 'Public' as "isPublic", ${ownership} as membership, ${isAdministrator(reader)} as is_administrator
      from ${from} where ${id} = ${entityId} and ${isReadable(reader)}
    ) as found`.execute(tx);
  return rows[0];
}

async function mustRead<Access extends RepositoryAccess>(
  tx: Database,
  actor: Actor,
  kind: keyof typeof kinds,
  id: string,
): Promise<Access> {
  const access = await findAccess(tx, kind, id, findReader(actor));
  if (access === undefined) throw notFound(kinds[kind].what);
  return access as Access;
}

function mustBeMember<Access extends RepositoryAccess>(actor: Actor, access: Access): Access {
  if (access.isMember) return access;
  throw forbidden(
    actor.actor === 'Device'
      ? 'A device may only read repositories.'
      : 'Only a member of the repository may do this.',
  );
}

/** Requires an actor who may read the repository. */
export function mustReadRepository(
  tx: Database,
  actor: Actor,
  repositoryId: Id<'repository'>,
): Promise<RepositoryAccess> {
  return mustRead(tx, actor, 'repository', ids.repository.raw(repositoryId));
}

/** Requires a member of the repository. */
export async function mustWriteRepository(
  tx: Database,
  actor: Actor,
  repositoryId: Id<'repository'>,
): Promise<RepositoryAccess> {
  return mustBeMember(actor, await mustReadRepository(tx, actor, repositoryId));
}

/** Requires an owner of the repository. */
export async function mustOwnRepository(
  tx: Database,
  actor: Actor,
  repositoryId: Id<'repository'>,
): Promise<RepositoryAccess> {
  const access = await mustWriteRepository(tx, actor, repositoryId);
  if (!access.isOwner) throw forbidden('Only an owner of the repository may do this.');
  return access;
}

/** Requires an actor who may link the repository to a project: an owner, or any signed-in actor if it is public. */
export async function mustShareRepository(
  tx: Database,
  actor: Actor,
  repositoryId: Id<'repository'>,
): Promise<RepositoryAccess> {
  const access = await mustReadRepository(tx, actor, repositoryId);
  if (access.isPublic || mustBeMember(actor, access).isOwner) return access;
  throw forbidden('Only an owner of a private repository may link it to a project.');
}

/** Whether the actor owns the repository. */
export async function ownsRepository(
  tx: Database,
  actor: Actor,
  repositoryId: Id<'repository'>,
): Promise<boolean> {
  const id = ids.repository.raw(repositoryId);
  const access = await findAccess(tx, 'repository', id, findReader(actor));
  return access?.isOwner === true;
}

/** Requires an owner of the repository of an invitation; for others than members the invitation does not exist. */
export async function mustOwnRepositoryInvitation(
  tx: Database,
  actor: Actor,
  invitationId: Id<'repositoryInvitation'>,
): Promise<RepositoryAccess> {
  const access = await mustRead(tx, actor, 'invitation', ids.repositoryInvitation.raw(invitationId));
  if (!access.isMember) throw notFound('Invitation');
  if (!access.isOwner) throw forbidden('Only an owner of the repository may do this.');
  return access;
}

/** Requires an actor who may read the repository of the package. */
export function mustReadPackage(
  tx: Database,
  actor: Actor,
  packageId: Id<'package'>,
): Promise<PackageAccess> {
  return mustRead(tx, actor, 'package', ids.package.raw(packageId));
}

/** Requires a member of the repository of the package. */
export async function mustWritePackage(
  tx: Database,
  actor: Actor,
  packageId: Id<'package'>,
): Promise<PackageAccess> {
  return mustBeMember(actor, await mustReadPackage(tx, actor, packageId));
}

/** Requires an actor who may read the repository of the version. */
export function mustReadVersion(
  tx: Database,
  actor: Actor,
  versionId: Id<'packageVersion'>,
): Promise<VersionAccess> {
  return mustRead(tx, actor, 'version', ids.packageVersion.raw(versionId));
}

/** Requires a member of the repository, who sees who else works on it: no job of a CI does. */
export async function mustSeeMembers(
  tx: Database,
  actor: Actor,
  repositoryId: Id<'repository'>,
): Promise<RepositoryAccess> {
  const access = await mustWriteRepository(tx, actor, repositoryId);
  const { rows } = await sql`
    select 1 from user_tokens where token_id = ${tokenIdOf(actor)} and publisher_id is not null`.execute(tx);
  if (rows.length > 0) throw forbidden('A job of a CI sees neither the members nor the log of a repository.');
  return access;
}

/** Requires a member of the repository of the version; by a token of a job of a CI only what that token made. */
export async function mustWriteVersion(
  tx: Database,
  actor: Actor,
  versionId: Id<'packageVersion'>,
): Promise<VersionAccess> {
  const access = mustBeMember(actor, await mustReadVersion(tx, actor, versionId));
  const tokenId = tokenIdOf(actor);
  if (tokenId === null) return access;
  const { rows } = await sql`
    select 1 from user_tokens t join package_versions v on v.version_id = ${access.versionId}
    where t.token_id = ${tokenId} and t.publisher_id is not null
      and v.created_by_token_id is distinct from t.token_id`.execute(tx);
  if (rows.length > 0) throw forbidden('A job of a CI may change only the versions that it made itself.');
  return access;
}

/** Requires an actor who may read the repository of the asset. */
export function mustReadAsset(tx: Database, actor: Actor, assetId: Id<'asset'>): Promise<AssetAccess> {
  return mustRead(tx, actor, 'asset', ids.asset.raw(assetId));
}

/** Requires a member of the repository of the asset. */
export async function mustWriteAsset(tx: Database, actor: Actor, assetId: Id<'asset'>): Promise<AssetAccess> {
  return mustBeMember(actor, await mustReadAsset(tx, actor, assetId));
}
