import { ids, type Actor } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { planOnceValue } from '../../../platform/db/plan-once.ts';

/** The raw id of the user token of the actor; null for others. */
export function tokenIdOf(actor: Actor): string | null {
  return actor.actor === 'UserToken' ? ids.userTokenId.raw(actor.tokenId) : null;
}

/** SQL for whether a project is within the bounds of a token; true without a token. */
export function reachesProject(tokenId: string | null, projectId: RawBuilder<unknown>): RawBuilder<boolean> {
  return reaches(tokenId, sql`project_ids`, projectId);
}

/** SQL for whether a repository is within the bounds of a token; true without a token. */
export function reachesRepository(
  tokenId: string | null,
  repositoryId: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return reaches(tokenId, sql`repository_ids`, repositoryId);
}

function reaches(
  tokenId: string | null,
  column: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
): RawBuilder<boolean> {
  if (tokenId === null) return sql<boolean>`true`;
  return sql<boolean>`exists (select 1 from user_tokens reached
    where reached.token_id = ${tokenId} and (reached.${column} is null or ${id} = any(reached.${column})))`;
}

/** SQL for whether an administrator has these rights here: in a session, or by a token with these rights. */
export function administers(isSession: boolean, tokenId: string | null): RawBuilder<boolean> {
  if (tokenId === null) return planOnceValue(isSession, 'boolean');
  return sql<boolean>`exists (select 1 from user_tokens administering
    where administering.token_id = ${tokenId} and administering.is_administrator)`;
}

/** The projects and repositories within the bounds of a token, by raw ids; undefined for all of its user. */
export interface TokenReach {
  readonly projectIds: readonly string[] | undefined;
  readonly repositoryIds: readonly string[] | undefined;
}

const everything: TokenReach = { projectIds: undefined, repositoryIds: undefined };

/** The reach of the actor's token, for lists; everything for other actors. */
export async function reachOf(tx: Database, actor: Actor): Promise<TokenReach> {
  const tokenId = tokenIdOf(actor);
  if (tokenId === null) return everything;
  const row = await tx
    .selectFrom('user_tokens')
    .select(['project_ids', 'repository_ids'])
    .where('token_id', '=', tokenId)
    .executeTakeFirst();
  if (row === undefined) return { projectIds: [], repositoryIds: [] };
  return { projectIds: row.project_ids ?? undefined, repositoryIds: row.repository_ids ?? undefined };
}
