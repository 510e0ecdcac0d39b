import { ActionError, ids, type ActionDefinition, type ActionName, type Actor } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';
import { batch } from '../db/batch.ts';

interface TokenRow {
  readonly token_id: string;
  readonly is_read_only: boolean;
  readonly is_limited: boolean;
  readonly expires_at: string | null;
}

/** The commands that a token which only reads may call: one issues a URL for reading, by the other it deletes itself. */
const readingCommands: ReadonlySet<ActionName> = new Set<ActionName>([
  'repositories_IssueAssetDownloadUrl',
  'users_DeleteUserToken',
]);
/** What a token that reaches named things only may call of the account: filtered to these things, or to delete itself. */
const accountQueries: ReadonlySet<ActionName> = new Set<ActionName>([
  'users_GetUserDetails',
  'users_QueryUserProjects',
  'users_QueryUserRepositories',
  'users_GetDevicePermissions',
  'users_DeleteUserToken',
]);
const creations: ReadonlySet<ActionName> = new Set<ActionName>([
  'projects_CreateProject',
  'repositories_CreateRepository',
]);

const isOfAccount = (name: ActionName): boolean => name.startsWith('users_') && !accountQueries.has(name);

/**
 * Requires of a caller by user token that the token exists, has not expired, and may call this action. Which projects and repositories it
 * reaches is part of the statements of the policies. Calls at the same time share a statement.
 */
export async function mustBeWithinToken(
  db: Database,
  actor: Actor,
  called: { readonly name: ActionName; readonly kind: ActionDefinition['kind']; readonly now: Date },
): Promise<void> {
  if (actor.actor !== 'UserToken') return;
  const { name, kind, now } = called;
  const token = await readToken(db, ids.userTokenId.raw(actor.tokenId));
  if (token === undefined || isExpired(token, now))
    throw new ActionError('NotSignedIn', 'The user token is not valid.');
  if (token.is_read_only && kind === 'command' && !readingCommands.has(name))
    throw new ActionError('Forbidden', 'This token may only read. Use a token with full access.');
  if (token.is_limited && (creations.has(name) || isOfAccount(name)))
    throw new ActionError(
      'Forbidden',
      'This token is for certain projects and repositories only. Use a token for all of them.',
    );
}

const isExpired = ({ expires_at: at }: TokenRow, now: Date): boolean =>
  at !== null && Date.parse(at) <= now.getTime();

const readToken = batch(readTokens);

async function readTokens(db: Database, tokenIds: readonly string[]): Promise<(TokenRow | undefined)[]> {
  const { rows } = await sql<TokenRow>`
    select token_id, is_read_only, (project_ids is not null or repository_ids is not null) as is_limited, expires_at
    from user_tokens where token_id = any(${[...new Set(tokenIds)]})`.execute(db);
  const found = new Map(rows.map((row) => [row.token_id, row]));
  return tokenIds.map((tokenId) => found.get(tokenId));
}
