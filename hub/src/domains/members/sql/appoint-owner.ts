import { ActionError, ids, type EventName, type Id, type Json } from '@corral/contract';
import type { Database } from '../../../platform/db/connect.ts';
import { addMember, setRole } from './memberships.ts';
import type { Scope } from './shared-scope.ts';

type Change = readonly [name: EventName, data: Readonly<Record<string, Json>>];

/**
 * Makes a member an owner and returns the events of that. A user who is no member becomes one only if `mayAdd`: others become members by
 * their own consent. Throws an `ActionError` if there is no such member, or no such user.
 */
export async function appointOwner(
  tx: Database,
  scope: Scope,
  userId: Id<'user'>,
  now: Date,
  mayAdd: boolean,
): Promise<readonly Change[]> {
  const owner = { userId: ids.user.raw(userId), isOwner: true };
  const { domain, of, invitationIdOf } = namesOf(scope);
  const data = { ...of, userId, isOwner: true };
  const isChanged = await setRole(tx, scope, owner);
  if (isChanged !== undefined) return isChanged ? [[`${domain}_MemberRoleChanged`, data]] : [];
  if (!mayAdd)
    throw new ActionError(
      'Invalid',
      `The new owner is no member of the ${scope.kind}. Invite this user first.`,
    );
  const added = await addMember(tx, scope, owner, now);
  if (added === undefined) throw new ActionError('Invalid', 'User not found.');
  // Added by another call in the meantime.
  if (!added.isAdded) await setRole(tx, scope, owner);
  if (added.revoked === null) return [[`${domain}_MemberAdded`, data]];
  const { invitationId, email } = added.revoked;
  return [
    [`${domain}_MemberAdded`, data],
    [`${domain}_InvitationDeleted`, { ...of, invitationId: invitationIdOf(invitationId), email }],
    ['users_InvitationsChanged', { userId }],
  ];
}

function namesOf({ kind, id }: Scope) {
  return kind === 'project'
    ? ({
        domain: 'projects',
        of: { projectId: ids.project.of(id) },
        invitationIdOf: ids.projectInvitation.of,
      } as const)
    : ({
        domain: 'repositories',
        of: { repositoryId: ids.repository.of(id) },
        invitationIdOf: ids.repositoryInvitation.of,
      } as const);
}
