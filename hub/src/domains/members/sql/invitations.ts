import { ActionError, maxPendingInvitations } from '@corral/contract';
import { sql } from 'kysely';
import { linkValidForSecs } from '../../../auth/link-token.ts';
import { newRawId } from '../../../auth/random.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { deleteInvitationMails, queueMail } from '../../users/index.ts';
import { lockScope, scopeNames, type Scope } from './shared-scope.ts';

/** A person who is to be invited. */
export interface NewInvitation {
  /** Canonical. */
  readonly email: string;
  /** The raw id of the inviting user; null for the hub itself. */
  readonly invitedBy: string | null;
  readonly isMailed: boolean;
  readonly now: Date;
}

/** An invitation that was made, changed or deleted. */
export interface ChangedInvitation {
  /** The raw id. */
  readonly invitationId: string;
  readonly email: string;
  /** The raw id of the account of the address, if any; it must not reach those who invite. */
  readonly inviteeId: string | null;
}

/**
 * The condition that the statement's `invitations i` is addressed to its `users u`. An account with an unconfirmed address receives only the invitation by whose link it was made:
 * otherwise whoever invites an address could take the invitations of others to it.
 */
export const isReceivedBy = sql<boolean>`(u.email = i.email and coalesce(u.only_invitation_id, i.invitation_id) = i.invitation_id)`;

/** The raw id of the account that receives an invitation as SQL, as column `inviteeId`. */
export const inviteeOf = sql`(select u.user_id from users u where ${isReceivedBy}) as "inviteeId"`;
const columns = sql`i.invitation_id as "invitationId", i.email, ${inviteeOf}`;

function expiryOf(now: Date): Date {
  return new Date(now.getTime() + linkValidForSecs.invitation * 1_000);
}

/**
 * Invites an address and queues the e-mail, if it is to be mailed. Throws an `ActionError` for a member, a pending invitation, and beyond the number that may be
 * pending; the lock makes each of these hold also when several invite and join at once. Undefined if the project or repository is deleted.
 */
export async function addInvitation(
  tx: Database,
  scope: Scope,
  { email, invitedBy, isMailed, now }: NewInvitation,
): Promise<ChangedInvitation | undefined> {
  if (!(await lockScope(tx, scope))) return undefined;
  const { key } = scopeNames[scope.kind];
  await sql`delete from invitations where ${key} = ${scope.id} and email = ${email} and expires_at <= ${now}`.execute(
    tx,
  );
  await mustBeInvitable(tx, scope, email);
  const { rows } = await sql<ChangedInvitation>`
    insert into invitations as i (invitation_id, ${key}, email, invited_by, mail_status, created_at, expires_at)
    values (${newRawId()}, ${scope.id}, ${email}, ${invitedBy}, ${isMailed ? 'Queued' : 'NotMailed'}, ${now}, ${expiryOf(now)})
    returning ${columns}`.execute(tx);
  const added = rows[0];
  if (added !== undefined && isMailed)
    await queueMail(tx, { kind: 'Invitation', invitationId: added.invitationId, now });
  return added;
}

async function mustBeInvitable(tx: Database, { kind, id }: Scope, email: string): Promise<void> {
  const { members, key } = scopeNames[kind];
  const { rows } = await sql<{ isMember: boolean; isInvited: boolean; pending: number }>`
    select
      exists (select 1 from ${members} m join users u using (user_id) where m.${key} = ${id} and u.email = ${email}) as "isMember",
      exists (select 1 from invitations where ${key} = ${id} and email = ${email}) as "isInvited",
      (select count(*) from invitations where ${key} = ${id}) as pending`.execute(tx);
  const { isMember, isInvited, pending } = rows[0] ?? { isMember: false, isInvited: false, pending: 0 };
  if (isMember) throw new ActionError('Invalid', `${email} is a member of this ${kind} already.`);
  if (isInvited)
    throw new ActionError(
      'Invalid',
      `${email} is invited to this ${kind} already. Resend that invitation, or revoke it first.`,
    );
  if (pending >= maxPendingInvitations)
    throw new ActionError(
      'Invalid',
      `At most ${maxPendingInvitations} invitations to a ${kind} may be pending. Revoke some that are no longer needed first.`,
    );
}

/** Deletes a pending invitation to a project or a repository; undefined if there is none. */
export async function deleteInvitation(
  tx: Database,
  { kind, id }: Scope,
  invitationId: string,
  now: Date,
): Promise<ChangedInvitation | undefined> {
  const { key } = scopeNames[kind];
  const { rows } = await sql<ChangedInvitation>`
    delete from invitations i where i.invitation_id = ${invitationId} and i.${key} = ${id} and i.expires_at > ${now}
    returning ${columns}`.execute(tx);
  return rows[0];
}

/** Renews a pending invitation and queues its e-mail again, replacing one that still waits; undefined if there is none. */
export async function renewInvitation(
  tx: Database,
  { kind, id }: Scope,
  invitationId: string,
  now: Date,
): Promise<ChangedInvitation | undefined> {
  const { key } = scopeNames[kind];
  const { rows } = await sql<ChangedInvitation>`
    update invitations i set expires_at = ${expiryOf(now)}, mail_status = 'Queued'
    where i.invitation_id = ${invitationId} and i.${key} = ${id} and i.expires_at > ${now}
    returning ${columns}`.execute(tx);
  const renewed = rows[0];
  if (renewed === undefined) return undefined;
  await deleteInvitationMails(tx, invitationId);
  await queueMail(tx, { kind: 'Invitation', invitationId, now });
  return renewed;
}

/** What the link of an invitation is about. */
export interface LinkedInvitation {
  /** The raw id. */
  readonly invitationId: string;
  readonly email: string;
  readonly kind: 'Project' | 'Repository';
  readonly name: string;
  readonly expiresAt: string;
  readonly inviterName: string | null;
  readonly inviterEmail: string | null;
}

/** A pending invitation by its raw id alone, which the link of it contains. */
export async function findInvitation(
  tx: Database,
  invitationId: string,
  now: Date,
): Promise<LinkedInvitation | undefined> {
  const { rows } = await sql<LinkedInvitation>`
    select i.invitation_id as "invitationId", i.email, case when i.project_id is null then 'Repository' else 'Project' end as kind,
      coalesce(p.name, r.name) as name, i.expires_at as "expiresAt",
      u.display_name as "inviterName", u.email as "inviterEmail"
    from invitations i left join projects p using (project_id) left join repositories r using (repository_id)
      left join users u on u.user_id = i.invited_by
    where i.invitation_id = ${invitationId} and i.expires_at > ${now}`.execute(tx);
  return rows[0];
}

/** Whether an address is invited to anything. */
export async function isInvitedAnywhere(tx: Database, email: string, now: Date): Promise<boolean> {
  const row = await tx
    .selectFrom('invitations')
    .select('invitation_id')
    .where('email', '=', email)
    .where('expires_at', '>', now.toISOString())
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Records what became of the newest e-mail of an invitation; returns what it is to, undefined if it has ended. */
export async function recordInvitationMail(
  tx: Database,
  invitationId: string,
  status: 'Sent' | 'Refused' | 'NotMailed',
  now: Date,
): Promise<Scope | undefined> {
  const noted = await tx
    .updateTable('invitations')
    .set({ mail_status: status, ...(status === 'Sent' ? { mailed_at: now } : {}) })
    .where('invitation_id', '=', invitationId)
    .returning(['project_id', 'repository_id'])
    .executeTakeFirst();
  if (noted === undefined) return undefined;
  return noted.project_id === null
    ? { kind: 'repository', id: noted.repository_id ?? '' }
    : { kind: 'project', id: noted.project_id };
}
