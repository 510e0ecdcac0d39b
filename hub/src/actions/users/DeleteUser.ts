import { ActionError, ids, type Id } from '@corral/contract';
import type { Database } from '../../db/connect.ts';
import type { Emit, Handler } from '../../executor/handler.ts';
import { mustManageAccount } from '../../policy/accounts.ts';
import { notFound } from '../../policy/actors.ts';
import { endSessions, lockAdministrators } from '../../store/accounts.ts';
import {
  deleteProjects,
  deleteTokens,
  leaveProjects,
  solelyOwnedProjects,
} from '../../store/user-deletion.ts';

/**
 * Deletes a user with its sessions, tokens and memberships. Projects with no other member are deleted too.
 * Refused while a project would keep members but no owner, and for the last administrator.
 */
export const DeleteUser: Handler<'users_DeleteUser'> = {
  authorize: ({ tx, actor, input }) => mustManageAccount(tx, actor, input.userId),

  async run({ tx, input, emit }) {
    const rawId = ids.user.raw(input.userId);
    const administrators = await lockAdministrators(tx);
    if (administrators.length === 1 && administrators[0] === rawId) {
      throw new ActionError('Invalid', 'The last administrator cannot be deleted.');
    }
    await lockUser(tx, rawId);
    const projectIds = await projectsToDelete(tx, rawId);
    await endMemberships(tx, input.userId, projectIds, emit);
    await endCredentials(tx, input.userId, emit);
    await tx.deleteFrom('users').where('user_id', '=', rawId).execute();
    emit('users_Deleted', { userId: input.userId });
    return {};
  },
};

/** Locks the user: no session, token or membership can be added from here on. */
async function lockUser(tx: Database, rawId: string): Promise<void> {
  const locked = await tx
    .selectFrom('users')
    .select('user_id')
    .where('user_id', '=', rawId)
    .forUpdate()
    .executeTakeFirst();
  if (locked === undefined) throw notFound('User');
}

async function projectsToDelete(tx: Database, rawId: string): Promise<string[]> {
  const owned = await solelyOwnedProjects(tx, rawId);
  const held = owned.find(({ hasOtherMembers }) => hasOtherMembers);
  if (held === undefined) return owned.map(({ projectId }) => projectId);
  throw new ActionError(
    'Invalid',
    `The project "${held.name}" has other members and no other owner. Make one of them an owner, or delete the project, first.`,
  );
}

async function endMemberships(
  tx: Database,
  userId: Id<'user'>,
  projectIds: string[],
  emit: Emit,
): Promise<void> {
  for (const { projectId, name } of await deleteProjects(tx, projectIds)) {
    emit('projects_Deleted', { projectId: ids.project.of(projectId), name });
  }
  for (const projectId of await leaveProjects(tx, ids.user.raw(userId))) {
    emit('projects_MemberRemoved', { projectId: ids.project.of(projectId), userId });
  }
}

async function endCredentials(tx: Database, userId: Id<'user'>, emit: Emit): Promise<void> {
  for (const sessionId of await endSessions(tx, ids.user.raw(userId))) {
    emit('users_SessionTerminated', { userId, sessionId: ids.session.of(sessionId) });
  }
  for (const tokenId of await deleteTokens(tx, ids.user.raw(userId))) {
    emit('users_TokenDeleted', { userId, tokenId: ids.userTokenId.of(tokenId) });
  }
}
