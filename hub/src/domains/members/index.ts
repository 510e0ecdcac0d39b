// What the other domains, and the commands of operators, use of this one.
export { mustBeAllowedOwner } from './policy/ownership.ts';
export { followGroupsInProjects } from './sql/follow-groups.ts';
export { invitationOfLink, linkOf } from './sql/invitation-links.ts';
export { isInvitedAnywhere, recordInvitationMail } from './sql/invitations.ts';
export { joinByLink } from './sql/join-by-link.ts';
export { isAmong, readForMember } from './sql/member-lists.ts';
export { mustBeAbleToOwnMore } from './sql/owned-count.ts';
export { inviteesOf } from './sql/received-invitations.ts';
export { repositoryMemberships } from './sql/repository-memberships.ts';
export { lockScope, scopeNames, type Scope } from './sql/shared-scope.ts';
