import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { isReceivedBy } from './invitations.ts';
import { listOrder, sortKey } from '../../../platform/db/paging/list-order.ts';
import { readPage, type PageRequest } from '../../../platform/db/paging/read-page.ts';
import { scopeNames, type Scope } from './shared-scope.ts';

interface Row {
  readonly invitation_id: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly inviter_name: string | null;
  readonly inviter_email: string | null;
}

interface SentRow extends Row {
  readonly email: string;
  readonly invited_by: string | null;
  readonly mail_status: 'Queued' | 'Sent' | 'Refused' | 'NotMailed';
  readonly mailed_at: string | null;
}

interface ReceivedRow extends Row {
  readonly scope_id: string;
  readonly name: string;
}

function newestFirst<Of extends Row>(name: string) {
  return listOrder<Of>(name, 'desc', [
    sortKey('created_at', 'timestamptz', sql`i.created_at`),
    sortKey('invitation_id', 'text', sql`i.invitation_id`),
  ]);
}

const sentOrders = {
  project: newestFirst<SentRow>('invitations to a project'),
  repository: newestFirst<SentRow>('invitations to a repository'),
};
const receivedOrders = {
  project: newestFirst<ReceivedRow>('invitations of a user to projects'),
  repository: newestFirst<ReceivedRow>('invitations of a user to repositories'),
};
const columns = sql`i.invitation_id, i.created_at, i.expires_at, inviter.display_name as inviter_name, inviter.email as inviter_email`;

/** Reads a page of the pending invitations to a project or a repository, newest first; the items lack their id. */
export function readSentInvitations(tx: Database, scope: Scope, request: PageRequest, now: Date) {
  const { key } = scopeNames[scope.kind];
  return readPage(sentOrders[scope.kind], request, {
    scope: scope.id,
    read: async (slice) => {
      const { rows } = await sql<SentRow>`
        select ${columns}, i.email, i.invited_by, i.mail_status, i.mailed_at
        from invitations i left join users inviter on inviter.user_id = i.invited_by
        where i.${key} = ${scope.id} and i.expires_at > ${now} and ${slice.follows} ${slice.orderAndLimit}`.execute(
        tx,
      );
      return rows;
    },
    toItem: toSent,
  });
}

/** Whose invitations are read. */
interface Invitee {
  /** The raw id of the user. */
  readonly userId: string;
  readonly now: Date;
}

/** Reads a page of the pending invitations to projects or repositories that are addressed to a user, newest first. */
export function readReceivedInvitations(
  tx: Database,
  kind: Scope['kind'],
  { userId, now }: Invitee,
  request: PageRequest,
) {
  const { table, key } = scopeNames[kind];
  return readPage(receivedOrders[kind], request, {
    scope: userId,
    read: async (slice) => {
      const { rows } = await sql<ReceivedRow>`
        select ${columns}, i.${key} as scope_id, s.name
        from users u join invitations i on ${isReceivedBy} join ${table} s using (${key}) left join users inviter on inviter.user_id = i.invited_by
        where u.user_id = ${userId} and i.expires_at > ${now} and ${slice.follows} ${slice.orderAndLimit}`.execute(
        tx,
      );
      return rows;
    },
    toItem: toReceived,
  });
}

function toSent(row: SentRow) {
  return {
    rawId: row.invitation_id,
    email: row.email,
    ...(row.invited_by === null ? {} : { invitingUserId: ids.user.of(row.invited_by) }),
    ...datesAndInviter(row),
    mailStatus: row.mail_status,
    ...(row.mailed_at === null ? {} : { mailedAt: row.mailed_at }),
  };
}

function toReceived(row: ReceivedRow) {
  return { rawId: row.invitation_id, scopeId: row.scope_id, name: row.name, ...datesAndInviter(row) };
}

function datesAndInviter(row: Row) {
  const inviter = inviterOf(row.inviter_email, row.inviter_name);
  return {
    ...(inviter === undefined ? {} : { invitedBy: inviter }),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

/** Who sent an invitation as outputs show it; undefined if that account is deleted. */
export function inviterOf(email: string | null, displayName: string | null) {
  if (email === null) return undefined;
  return { ...(displayName === null ? {} : { displayName }), email };
}
