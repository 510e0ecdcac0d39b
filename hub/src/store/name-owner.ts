import { ActionError, ids, type EventName, type Id, type Json } from '@corral/contract';
import type { Database } from '../db/connect.ts';
import { addMember, setRole } from './memberships.ts';
import type { Scope } from './shared-scope.ts';

type Change = readonly [name: EventName, data: Readonly<Record<string, Json>>];

/** Makes a user an owner, and a member if it is none yet, and returns the events of that. Throws an `ActionError` if there is no such user. */
export async function nameOwner(
  tx: Database,
  scope: Scope,
  userId: Id<'user'>,
  now: Date,
): Promise<readonly Change[]> {
  const owner = { userId: ids.user.raw(userId), isOwner: true };
  const added = await addMember(tx, scope, owner, now);
  if (added === undefined) throw new ActionError('Invalid', 'User not found.');
  const { domain, of, invitationIdOf } = namesOf(scope);
  const data = { ...of, userId, isOwner: true };
  if (!added.isAdded)
    return (await setRole(tx, scope, owner)) === true ? [[`${domain}_MemberRoleChanged`, data]] : [];
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
