import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { inviteeOf, isReceivedBy } from './invitations.ts';
import { scopeNames, type Scope } from './shared-scope.ts';

/** An invitation that was accepted or declined: the raw id of its project or repository, and the address. */
export interface ConsumedInvitation {
  readonly scopeId: string;
  readonly email: string;
}

interface Invitee {
  /** The raw id of the user. */
  readonly userId: string;
  readonly now: Date;
}

/** The condition that the statement's `invitations i` is pending and addressed to a user. */
const isFor = ({ userId, now }: Invitee) =>
  sql<boolean>`i.expires_at > ${now} and exists (select 1 from users u where u.user_id = ${userId} and ${isReceivedBy})`;

/** Deletes a pending invitation that is addressed to a user; undefined for any other, so that callers cannot tell why. */
export async function consumeInvitation(
  tx: Database,
  kind: Scope['kind'],
  invitationId: string,
  invitee: Invitee,
): Promise<ConsumedInvitation | undefined> {
  const { key } = scopeNames[kind];
  const { rows } = await sql<ConsumedInvitation>`
    delete from invitations i
    where i.invitation_id = ${invitationId} and i.${key} is not null and ${isFor(invitee)}
    returning i.${key} as "scopeId", i.email`.execute(tx);
  return rows[0];
}

/** Deletes a pending invitation as above and makes the user a member, under the lock by which others invite and join. */
export async function acceptInvitation(
  tx: Database,
  kind: Scope['kind'],
  invitationId: string,
  invitee: Invitee,
): Promise<(ConsumedInvitation & { isAdded: boolean }) | undefined> {
  const { table, members, key } = scopeNames[kind];
  await sql`
    select 1 from ${table} s join invitations i using (${key})
    where i.invitation_id = ${invitationId} and ${isFor(invitee)} for no key update of s`.execute(tx);
  const consumed = await consumeInvitation(tx, kind, invitationId, invitee);
  if (consumed === undefined) return undefined;
  const { rows } = await sql`
    insert into ${members} (${key}, user_id, is_owner, added_at)
    values (${consumed.scopeId}, ${invitee.userId}, false, ${invitee.now}) on conflict do nothing returning 1`.execute(
    tx,
  );
  return { ...consumed, isAdded: rows.length > 0 };
}

/** An invitation that has expired. */
export interface ExpiredInvitation {
  readonly invitationId: string;
  readonly email: string;
  readonly projectId: string | null;
  readonly repositoryId: string | null;
  readonly inviteeId: string | null;
}

/** Deletes invitations that have ended, at most as many as given. */
export async function deleteExpiredInvitations(
  tx: Database,
  now: Date,
  limit: number,
): Promise<ExpiredInvitation[]> {
  const { rows } = await sql<ExpiredInvitation>`
    delete from invitations i where i.invitation_id in (
      select invitation_id from invitations where expires_at <= ${now} order by expires_at limit ${limit} for update skip locked)
    returning i.invitation_id as "invitationId", i.email, i.project_id as "projectId", i.repository_id as "repositoryId", ${inviteeOf}`.execute(
    tx,
  );
  return rows;
}

/** The raw ids of the accounts that are invited to projects or repositories which are about to be deleted. */
export async function inviteesOf(
  tx: Database,
  kind: Scope['kind'],
  scopeIds: readonly string[],
): Promise<string[]> {
  if (scopeIds.length === 0) return [];
  const { key } = scopeNames[kind];
  const { rows } = await sql<{ user_id: string }>`
    select distinct u.user_id from invitations i join users u on ${isReceivedBy}
    where i.${key} = any(${[...scopeIds]})`.execute(tx);
  return rows.map(({ user_id }) => user_id);
}
