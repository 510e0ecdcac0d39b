import { ActionError } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { mustBeAbleToOwnMore } from './owned-count.ts';
import { lockScope, scopeNames, type Scope } from './shared-scope.ts';

/** The rights of a new or changed member, by the raw id of the user. */
interface Membership {
  readonly userId: string;
  readonly isOwner: boolean;
  /** What a group at the provider gives thereby; by default it is a person who does. */
  readonly fromGroups?: 'membership' | 'ownership' | null;
}

/** The outcome of making a user a member. */
interface AddedMember {
  /** False if the user was one already. */
  readonly isAdded: boolean;
  /** The invitation that ended thereby, by its raw id. */
  readonly revoked: { readonly invitationId: string; readonly email: string } | null;
}

/**
 * Makes a user a member unless it is one, and removes the invitation of its address, so that nobody is member and invited at once.
 * Undefined if there is no such user.
 */
export async function addMember(
  tx: Database,
  { kind, id }: Scope,
  { userId, isOwner, fromGroups = null }: Membership,
  now: Date,
): Promise<AddedMember | undefined> {
  await lockScope(tx, { kind, id });
  if (isOwner) await mustBeAbleToOwnMore(tx, userId);
  const { members, key } = scopeNames[kind];
  const given = fromGroups === null ? {} : { column: sql`, from_groups`, value: sql`, ${fromGroups}` };
  const { column = sql``, value = sql`` } = given;
  const { rows } = await sql<AddedMember>`
    with known as (select user_id, email from users where user_id = ${userId} and not is_service for key share),
    added as (
      insert into ${members} (${key}, user_id, is_owner, added_at${column})
      select ${id}, user_id, ${isOwner}, ${now}${value} from known on conflict do nothing returning 1
    ),
    revoked as (
      delete from invitations i using known where i.${key} = ${id} and i.email = known.email
      returning json_build_object('invitationId', i.invitation_id, 'email', i.email) as invitation
    )
    select exists (select 1 from added) as "isAdded", (select invitation from revoked) as revoked
    from known`.execute(tx);
  return rows[0];
}

/** A member whose row, with those of all owners, is locked until the transaction ends. */
interface LockedMember {
  readonly isOwner: boolean;
  readonly isLastOwner: boolean;
  /** What a group at the provider gave; null in repositories. */
  readonly fromGroups: 'membership' | 'ownership' | null;
}

/** Locks a member as above; undefined if there is none. */
export async function lockMember(
  tx: Database,
  { kind, id }: Scope,
  userId: string,
): Promise<LockedMember | undefined> {
  const { members, key } = scopeNames[kind];
  const fromGroups = kind === 'project' ? sql`from_groups` : sql`null`;
  const { rows } = await sql<{
    user_id: string;
    is_owner: boolean;
    from_groups: LockedMember['fromGroups'];
  }>`
    select user_id, is_owner, ${fromGroups} as from_groups from ${members} join users using (user_id)
    where ${key} = ${id} and not is_service and (is_owner or user_id = ${userId}) order by user_id for update of ${members}`.execute(
    tx,
  );
  const member = rows.find((row) => row.user_id === userId);
  if (member === undefined) return undefined;
  const isLastOwner = member.is_owner && rows.filter((row) => row.is_owner).length === 1;
  return { isOwner: member.is_owner, isLastOwner, fromGroups: member.from_groups };
}

/** What happens to a member, as the refusal names it. */
type Change = 'removed' | 'demoted' | 'leave';

const lastOwnerMessages: Record<Change, (kind: string) => string> = {
  removed: (kind) => `The last owner of a ${kind} cannot be removed. Make another member an owner first.`,
  demoted: (kind) => `The last owner of a ${kind} stays an owner. Make another member an owner first.`,
  leave: (kind) => `You are the last owner of this ${kind}. Make another member an owner before you leave.`,
};

/**
 * Removes a member; false if there is none. Owners are locked in order, so that the last one stays also when several leave at once: for
 * that one it throws an `ActionError`.
 */
export async function removeMember(
  tx: Database,
  scope: Scope,
  userId: string,
  change: 'removed' | 'leave',
): Promise<boolean> {
  const member = await lockMember(tx, scope, userId);
  if (member === undefined) return false;
  if (member.isLastOwner) throw new ActionError('Invalid', lastOwnerMessages[change](scope.kind));
  const { members, key } = scopeNames[scope.kind];
  await sql`delete from ${members} where ${key} = ${scope.id} and user_id = ${userId}`.execute(tx);
  // No key does it: an administrator may have saved views without being a member.
  if (scope.kind === 'project')
    await sql`delete from saved_views where project_id = ${scope.id} and user_id = ${userId}`.execute(tx);
  return true;
}

/** Makes a member an owner or not, who is thereby one by hand; returns whether that changed anything, undefined if there is no such member. The last owner stays one, as above. */
export async function setRole(
  tx: Database,
  scope: Scope,
  { userId, isOwner, fromGroups = null }: Membership,
): Promise<boolean | undefined> {
  const member = await lockMember(tx, scope, userId);
  if (member === undefined) return undefined;
  if (member.isOwner === isOwner) return false;
  if (member.isLastOwner) throw new ActionError('Invalid', lastOwnerMessages.demoted(scope.kind));
  if (isOwner) await mustBeAbleToOwnMore(tx, userId);
  const { members, key } = scopeNames[scope.kind];
  const given = scope.kind === 'project' ? sql`, from_groups = ${fromGroups}` : sql``;
  await sql`update ${members} set is_owner = ${isOwner}${given} where ${key} = ${scope.id} and user_id = ${userId}`.execute(
    tx,
  );
  return true;
}
