import { ActionError, ids, type Id, type TokenVerb } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { repositoryMemberships } from '../../members/index.ts';
import type { NewTokenBounds } from '../sql/user-tokens.ts';
import { forbidden, notFound } from '../../../auth/actors.ts';

/** The bounds of a token in the input of an action. */
export interface RequestedBounds {
  readonly access?: 'read' | 'full' | undefined;
  /** Instead of `access`. */
  readonly verbs?: readonly TokenVerb[] | undefined;
  readonly projects?: readonly Id<'project'>[] | undefined;
  readonly repositories?: readonly Id<'repository'>[] | undefined;
  readonly administrator?: boolean | undefined;
  readonly expiresAt?: string | undefined;
  /** Instead of `expiresAt`. */
  readonly validForDays?: number | undefined;
}

/** The circumstances in which a token is created. */
interface TokenCreation {
  /** The raw id of the user for whom it is created. */
  readonly userId: string;
  /** Whether its creator has the rights of an administrator in a session. */
  readonly isByAdministrator: boolean;
  readonly now: Date;
}

const dayMs = 86_400_000;
const defaultDays = 90;
const maxDays = 366;
const withoutBounds = { projectIds: undefined, repositoryIds: undefined };

/** The bounds of a new token. Throws an `ActionError` if its user is disabled, or if they exceed the rights of its user or of its creator. */
export async function mustBeValidTokenBounds(
  tx: Database,
  creation: TokenCreation,
  requested: RequestedBounds,
): Promise<NewTokenBounds> {
  const expiresAt = validExpiry(requested, creation.now);
  const verbs = validVerbs(requested);
  await mustBeEnabled(tx, creation.userId);
  if (requested.administrator === true) await mustBeAllowedToAdminister(tx, creation, requested);
  const projectIds = requested.projects?.map(ids.project.raw);
  const repositoryIds = requested.repositories?.map(ids.repository.raw);
  if (projectIds !== undefined) await mustBeProjectsOf(tx, creation.userId, projectIds);
  if (repositoryIds !== undefined) await mustBeRepositoriesOf(tx, creation.userId, repositoryIds);
  return {
    // A token that only reads is one that only reads, whichever way it was asked for.
    is_read_only: requested.access === 'read' || verbs?.every((verb) => verb === 'read') === true,
    project_ids: projectIds ?? null,
    repository_ids: repositoryIds ?? null,
    is_administrator: requested.administrator === true,
    verbs,
    expires_at: expiresAt,
  };
}

/** The lifetime of a new token in days, 90 by default. Throws an `ActionError` outside 1 to 366 days. */
export function validLifetimeDays(requestedDays: number | undefined): number {
  const days = requestedDays ?? defaultDays;
  if (days >= 1 && days <= maxDays) return days;
  throw new ActionError('Invalid', `A token may be good for 1 to ${maxDays} days.`);
}

/** Whether a token with these bounds may do what takes a proof of who somebody is, which tokens cannot give. */
export function mayManage({
  access,
  verbs,
  administrator,
}: Pick<RequestedBounds, 'access' | 'verbs' | 'administrator'>): boolean {
  if (administrator === true) return true;
  return verbs === undefined ? access !== 'read' : verbs.includes('manage');
}

/** The verbs of a new token, each once; null for a token without. */
export function validVerbs({ access, verbs }: RequestedBounds): readonly TokenVerb[] | null {
  if (verbs === undefined) return null;
  if (access !== undefined) throw new ActionError('Invalid', 'Give either access or verbs, not both.');
  if (verbs.length === 0)
    throw new ActionError('Invalid', 'Name at least one verb, or leave verbs out for all of them.');
  return [...new Set(verbs)];
}

function validExpiry({ expiresAt, validForDays }: RequestedBounds, now: Date): Date {
  if (expiresAt === undefined) return new Date(now.getTime() + validLifetimeDays(validForDays) * dayMs);
  if (validForDays !== undefined)
    throw new ActionError('Invalid', 'Give either expiresAt or validForDays, not both.');
  const validMs = Date.parse(expiresAt) - now.getTime();
  if (validMs > 0 && validMs <= maxDays * dayMs) return new Date(expiresAt);
  throw new ActionError('Invalid', `A token must expire in the future, within ${maxDays} days.`);
}

/** Locks the user until the transaction ends, so that it is not disabled meanwhile. */
async function mustBeEnabled(tx: Database, userId: string): Promise<void> {
  const { rows } =
    await sql`select 1 from users where user_id = ${userId} and disabled_at is null for key share`.execute(
      tx,
    );
  if (rows.length === 0) throw new ActionError('Invalid', 'A disabled user gets no new tokens.');
}

async function mustBeAllowedToAdminister(
  tx: Database,
  { userId, isByAdministrator }: TokenCreation,
  { projects, repositories }: RequestedBounds,
): Promise<void> {
  if (!isByAdministrator)
    throw forbidden('Only administrators may make a token with the rights of an administrator.');
  const user = await tx
    .selectFrom('users')
    .select('is_admin')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (user?.is_admin !== true)
    throw new ActionError('Invalid', 'Only a token of an administrator can have the rights of one.');
  if (projects !== undefined || repositories !== undefined)
    throw new ActionError(
      'Invalid',
      'A token with the rights of an administrator reaches all projects and repositories. Leave them out.',
    );
}

async function mustBeProjectsOf(tx: Database, userId: string, projectIds: readonly string[]): Promise<void> {
  const { rows } = await sql`
    select 1 from unnest(${projectIds}::text[]) as requested(id) where not exists (
      select 1 from project_members where project_id = requested.id and user_id = ${userId}) limit 1`.execute(
    tx,
  );
  if (rows.length > 0) throw notFound('Project');
}

async function mustBeRepositoriesOf(
  tx: Database,
  userId: string,
  repositoryIds: readonly string[],
): Promise<void> {
  const { all } = repositoryMemberships(userId, true, { ...withoutBounds, repositoryIds });
  const { rows } = await sql<{ repository_id: string }>`select repository_id from (${all}) as m`.execute(tx);
  const found = new Set(rows.map((row) => row.repository_id));
  if (repositoryIds.some((id) => !found.has(id))) throw notFound('Repository');
}
