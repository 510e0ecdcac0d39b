import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';
import { scopeNames, type Scope } from './shared-scope.ts';

/** An invitation that was taken, with what it was to, by raw ids. */
export interface TakenInvitation {
  readonly scopeId: string;
  readonly email: string;
}

interface Taker {
  /** The raw id of the user whose address was invited. */
  readonly userId: string;
  readonly now: Date;
}

/** The condition that the statement's `invitations i` is pending and addressed to a user. */
const isFor = ({ userId, now }: Taker) =>
  sql<boolean>`i.expires_at > ${now} and i.email = (select email from users where user_id = ${userId})`;

/** Deletes a pending invitation that is addressed to a user; undefined for all others, which look alike. */
export async function takeInvitation(
  tx: Database,
  kind: Scope['kind'],
  invitationId: string,
  taker: Taker,
): Promise<TakenInvitation | undefined> {
  const { key } = scopeNames[kind];
  const { rows } = await sql<TakenInvitation>`
    delete from invitations i
    where i.invitation_id = ${invitationId} and i.${key} is not null and ${isFor(taker)}
    returning i.${key} as "scopeId", i.email`.execute(tx);
  return rows[0];
}

/** Deletes a pending invitation as above and makes the user a member, under the lock by which others invite and join. */
export async function acceptInvitation(
  tx: Database,
  kind: Scope['kind'],
  invitationId: string,
  taker: Taker,
): Promise<(TakenInvitation & { isAdded: boolean }) | undefined> {
  const { table, members, key } = scopeNames[kind];
  await sql`
    select 1 from ${table} s join invitations i using (${key})
    where i.invitation_id = ${invitationId} and ${isFor(taker)} for no key update of s`.execute(tx);
  const taken = await takeInvitation(tx, kind, invitationId, taker);
  if (taken === undefined) return undefined;
  const { rows } = await sql`
    insert into ${members} (${key}, user_id, is_owner, added_at)
    values (${taken.scopeId}, ${taker.userId}, false, ${taker.now}) on conflict do nothing returning 1`.execute(
    tx,
  );
  return { ...taken, isAdded: rows.length > 0 };
}

/** An invitation that has ended by itself. */
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
  most: number,
): Promise<ExpiredInvitation[]> {
  const { rows } = await sql<ExpiredInvitation>`
    delete from invitations i where i.invitation_id in (
      select invitation_id from invitations where expires_at <= ${now} order by expires_at limit ${most} for update skip locked)
    returning i.invitation_id as "invitationId", i.email, i.project_id as "projectId", i.repository_id as "repositoryId",
      (select user_id from users where email = i.email) as "inviteeId"`.execute(tx);
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
    select distinct u.user_id from invitations i join users u using (email)
    where i.${key} = any(${[...scopeIds]})`.execute(tx);
  return rows.map(({ user_id }) => user_id);
}
