import { ids, type Id } from '@corral/contract';
import type { Database } from '../../../platform/db/connect.ts';
import type { Emit, Handler } from '../../../calls/handler.ts';
import { mustManageAccount } from '../policy/accounts.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import { mustBeDeletable } from '../policy/user-deletion.ts';
import { endSessions, lockAdministrators } from '../sql/accounts.ts';
import { deleteProjects } from '../../projects/index.ts';
import { inviteesOf } from '../../members/index.ts';
import { deleteRepositories } from '../../repositories/index.ts';
import {
  deleteTokens,
  leaveProjects,
  leaveRepositories,
  lockOwnedProjects,
  lockOwnedRepositories,
  solelyOwnedProjects,
  solelyOwnedRepositories,
} from '../sql/user-deletion.ts';

/**
 * Deletes a user with its sessions, tokens and memberships. Projects and repositories that nobody else uses are deleted too.
 * Refused while a project or a repository would keep members or links but no owner, and for the last administrator.
 */
export const DeleteUser: Handler<'users_DeleteUser'> = {
  async authorize(context) {
    await mustManageAccount(context.tx, context.actor, context.input.userId);
    mustBeSteppedUp(context);
  },

  async run({ tx, input, now, emit }) {
    const rawId = ids.user.raw(input.userId);
    const administrators = await lockAdministrators(tx);
    const name = await lockUser(tx, rawId);
    const user = { userId: input.userId, name };
    await lockOwnedProjects(tx, rawId);
    const projects = await solelyOwnedProjects(tx, rawId);
    const projectIds = projects.map(({ projectId }) => projectId);
    await lockOwnedRepositories(tx, rawId);
    const repositories = await solelyOwnedRepositories(tx, rawId, projectIds);
    mustBeDeletable({ administrators, userId: rawId, projects, repositories });
    const repositoryIds = repositories.map(({ repositoryId }) => repositoryId);
    const invitees = [
      ...(await inviteesOf(tx, 'project', projectIds)),
      ...(await inviteesOf(tx, 'repository', repositoryIds)),
    ];
    await endMemberships(tx, user, projectIds, emit);
    await leaveAllRepositories(tx, user, { repositoryIds, now, emit });
    await endCredentials(tx, input.userId, emit);
    await tx.deleteFrom('users').where('user_id', '=', rawId).execute();
    emit('users_Deleted', { ...user });
    for (const id of new Set(invitees)) emit('users_InvitationsChanged', { userId: ids.user.of(id) });
    return {};
  },
};

/** A user as the log names it. */
interface NamedUser {
  readonly userId: Id<'user'>;
  readonly name: string;
}

/** Locks the user: no session, token or membership can be added from here on. Resolves with the name, or else the e-mail address. */
async function lockUser(tx: Database, rawId: string): Promise<string> {
  const locked = await tx
    .selectFrom('users')
    .select(['display_name', 'email'])
    .where('user_id', '=', rawId)
    .forUpdate()
    .executeTakeFirst();
  if (locked === undefined) throw notFound('User');
  return locked.display_name ?? locked.email;
}

async function leaveAllRepositories(
  tx: Database,
  user: NamedUser,
  { repositoryIds, now, emit }: { repositoryIds: string[]; now: Date; emit: Emit },
): Promise<void> {
  // None of them is linked: `mustBeDeletable` refuses where a project that stays reads one.
  const { repositories } = await deleteRepositories(tx, repositoryIds, now);
  for (const { repositoryId, name } of repositories) {
    emit('repositories_Deleted', { repositoryId: ids.repository.of(repositoryId), name });
  }
  for (const repositoryId of await leaveRepositories(tx, ids.user.raw(user.userId))) {
    emit('repositories_MemberRemoved', { repositoryId: ids.repository.of(repositoryId), ...user });
  }
}

async function endMemberships(
  tx: Database,
  user: NamedUser,
  projectIds: string[],
  emit: Emit,
): Promise<void> {
  const { projects, links } = await deleteProjects(tx, projectIds);
  const nameOf = new Map(projects.map(({ projectId, name }) => [projectId, name]));
  for (const { projectId, repositoryId } of links) {
    emit('projects_RepositoryRemoved', {
      projectId: ids.project.of(projectId),
      repositoryId: ids.repository.of(repositoryId),
      name: nameOf.get(projectId) ?? null,
    });
  }
  for (const { projectId, name } of projects) {
    emit('projects_Deleted', { projectId: ids.project.of(projectId), name });
  }
  for (const projectId of await leaveProjects(tx, ids.user.raw(user.userId))) {
    emit('projects_MemberRemoved', { projectId: ids.project.of(projectId), ...user });
  }
}

async function endCredentials(tx: Database, userId: Id<'user'>, emit: Emit): Promise<void> {
  for (const sessionId of await endSessions(tx, ids.user.raw(userId))) {
    emit('users_SessionTerminated', { userId, sessionId: ids.session.of(sessionId) });
  }
  for (const { token_id: tokenId, name } of await deleteTokens(tx, ids.user.raw(userId))) {
    const named = name === null ? {} : { name };
    emit('users_TokenDeleted', { userId, tokenId: ids.userTokenId.of(tokenId), ...named });
  }
}
