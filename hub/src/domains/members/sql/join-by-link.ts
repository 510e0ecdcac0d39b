import { ids, type EventName, type Json } from '@corral/contract';
import type { Database } from '../../../platform/db/connect.ts';
import type { LinkedInvitation } from './invitations.ts';
import { acceptInvitation } from './received-invitations.ts';

type Change = readonly [name: EventName, data: Readonly<Record<string, Json>>];

/** Makes the user, by its raw id, whose account has just been made for an invitation a member by it, and returns the events of that; undefined if it has ended. */
export async function joinByLink(
  tx: Database,
  { kind, invitationId: rawId }: LinkedInvitation,
  rawUserId: string,
  now: Date,
): Promise<readonly Change[] | undefined> {
  const isProject = kind === 'Project';
  const invitee = { userId: rawUserId, now };
  const accepted = await acceptInvitation(tx, isProject ? 'project' : 'repository', rawId, invitee);
  if (accepted === undefined) return undefined;
  const userId = ids.user.of(rawUserId);
  const domain = isProject ? 'projects' : 'repositories';
  const scope = isProject
    ? { projectId: ids.project.of(accepted.scopeId) }
    : { repositoryId: ids.repository.of(accepted.scopeId) };
  const invitationId = (isProject ? ids.projectInvitation : ids.repositoryInvitation).of(rawId);
  return [
    [`${domain}_InvitationAccepted`, { ...scope, invitationId, email: accepted.email, userId }],
    [`${domain}_MemberAdded`, { ...scope, userId, isOwner: false }],
  ];
}
