import { ActionError, ids, type Id } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';
import { repositoryMemberships } from '../store/repository-memberships.ts';
import type { TokenBounds } from '../store/user-tokens.ts';
import { forbidden, notFound } from './actors.ts';

/** The bounds of a token as an action takes them. */
export interface AskedBounds {
  readonly access?: 'read' | 'full' | undefined;
  readonly projects?: readonly Id<'project'>[] | undefined;
  readonly repositories?: readonly Id<'repository'>[] | undefined;
  readonly administrator?: boolean | undefined;
  readonly expiresAt?: string | undefined;
}

/** Who makes a token, and for whom, by raw id. */
interface Making {
  readonly userId: string;
  /** Whether who makes it has the rights of an administrator in a session. */
  readonly isByAdministrator: boolean;
  readonly now: Date;
}

const dayMs = 86_400_000;
const defaultDays = 90;
const maxDays = 366;
const everything = { projectIds: undefined, repositoryIds: undefined };

/** The bounds of a new token. Refuses one that would be wider than its user or than who makes it. */
export async function mustBeTokenBounds(
  tx: Database,
  making: Making,
  asked: AskedBounds,
): Promise<TokenBounds> {
  const expiresAt = mustBeExpiry(asked.expiresAt, making.now);
  if (asked.administrator === true) await mustBeAllowedToAdminister(tx, making, asked);
  const projectIds = asked.projects?.map(ids.project.raw);
  const repositoryIds = asked.repositories?.map(ids.repository.raw);
  if (projectIds !== undefined) await mustBeProjectsOf(tx, making.userId, projectIds);
  if (repositoryIds !== undefined) await mustBeRepositoriesOf(tx, making.userId, repositoryIds);
  return {
    is_read_only: asked.access === 'read',
    project_ids: projectIds ?? null,
    repository_ids: repositoryIds ?? null,
    is_administrator: asked.administrator === true,
    expires_at: expiresAt,
  };
}

/** For how many days a token is to be good, 90 by default. */
export function mustBeValidDays(asked: number | undefined): number {
  const days = asked ?? defaultDays;
  if (days >= 1 && days <= maxDays) return days;
  throw new ActionError('Invalid', `A token may be good for 1 to ${maxDays} days.`);
}

function mustBeExpiry(asked: string | undefined, now: Date): Date {
  if (asked === undefined) return new Date(now.getTime() + defaultDays * dayMs);
  const validMs = Date.parse(asked) - now.getTime();
  if (validMs > 0 && validMs <= maxDays * dayMs) return new Date(asked);
  throw new ActionError('Invalid', `A token must expire in the future, within ${maxDays} days.`);
}

async function mustBeAllowedToAdminister(
  tx: Database,
  { userId, isByAdministrator }: Making,
  { projects, repositories }: AskedBounds,
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
    select 1 from unnest(${projectIds}::text[]) as asked(id) where not exists (
      select 1 from project_members where project_id = asked.id and user_id = ${userId}) limit 1`.execute(tx);
  if (rows.length > 0) throw notFound('Project');
}

async function mustBeRepositoriesOf(
  tx: Database,
  userId: string,
  repositoryIds: readonly string[],
): Promise<void> {
  const { all } = repositoryMemberships(userId, true, { ...everything, repositoryIds });
  const { rows } = await sql<{ repository_id: string }>`select repository_id from (${all}) as m`.execute(tx);
  const found = new Set(rows.map((row) => row.repository_id));
  if (repositoryIds.some((id) => !found.has(id))) throw notFound('Repository');
}
