import type { ActionName } from '@corral/contract';

/** Actions of the contract that this hub does not implement yet; the list may only get shorter. */
export const unavailableActions = [
  'users_QueryUserProjectInvitations',
  'users_QueryUserRepositoryInvitations',
  'users_AcceptProjectInvitation',
  'users_AcceptRepositoryInvitation',
  'projects_QueryProjectInvitations',
  'projects_InviteProjectMember',
  'projects_DeleteProjectInvitation',
  'repositories_QueryRepositoryInvitations',
  'repositories_InviteRepositoryMember',
  'repositories_DeleteRepositoryInvitation',
] as const satisfies readonly ActionName[];

/** The name of an action that is not implemented yet. */
export type UnavailableAction = (typeof unavailableActions)[number];
