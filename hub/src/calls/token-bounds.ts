import { ActionError, ids, type ActionDefinition, type ActionName } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../platform/db/connect.ts';
import type { Caller } from './executor.ts';

interface TokenRow {
  readonly isReadOnly: boolean;
  readonly isLimited: boolean;
  readonly expiresAt: string | null;
}

/** The commands that a read-only token may call: to issue a download URL, and to delete the token itself. */
const readOnlyTokenCommands: ReadonlySet<string> = new Set<ActionName>([
  'repositories_IssueAssetDownloadUrl',
  'users_DeleteUserToken',
]);
/** The account actions that a token limited to certain projects and repositories may call: queries filtered to these, and to delete itself. */
const limitedTokenAccountActions: ReadonlySet<string> = new Set<ActionName>([
  'users_GetUserDetails',
  'users_QueryUserProjects',
  'users_QueryUserRepositories',
  'users_GetDevicePermissions',
  'users_DeleteUserToken',
]);
const creations: ReadonlySet<string> = new Set<ActionName>([
  'projects_CreateProject',
  'repositories_CreateRepository',
]);

const isOfAccount = (name: string): boolean =>
  name.startsWith('users_') && !limitedTokenAccountActions.has(name);

/**
 * Requires of a caller by user token that the token exists, has not expired, and may call this action. Which projects and repositories it
 * reaches is part of the statements of the policies. An entry point that has just authenticated the token knows its bounds; for others
 * they are read.
 */
export async function mustBeWithinToken(
  db: Database,
  { actor, origin }: Caller,
  called: { readonly name: string; readonly kind: ActionDefinition['kind']; readonly now: Date },
): Promise<void> {
  if (actor.actor !== 'UserToken') return;
  const { name, kind, now } = called;
  const bounds = origin.tokenBounds ?? (await readToken(db, ids.userTokenId.raw(actor.tokenId)));
  if (bounds === undefined || isExpired(bounds, now))
    throw new ActionError('NotSignedIn', 'The user token is not valid.');
  if (bounds.isReadOnly && kind === 'command' && !readOnlyTokenCommands.has(name))
    throw new ActionError('Forbidden', 'This token may only read. Use a token with full access.');
  if (bounds.isLimited && (creations.has(name) || isOfAccount(name)))
    throw new ActionError(
      'Forbidden',
      'This token is for certain projects and repositories only. Use a token for all of them.',
    );
}

const isExpired = ({ expiresAt }: { expiresAt?: string | null | undefined }, now: Date): boolean =>
  typeof expiresAt === 'string' && Date.parse(expiresAt) <= now.getTime();

async function readToken(db: Database, tokenId: string): Promise<TokenRow | undefined> {
  const { rows } = await sql<TokenRow>`
    select is_read_only as "isReadOnly", (project_ids is not null or repository_ids is not null) as "isLimited",
      expires_at as "expiresAt"
    from user_tokens where token_id = ${tokenId}`.execute(db);
  return rows[0];
}
