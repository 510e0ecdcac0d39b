import { ids } from '@corral/contract';
import { mustBeRepositoryName } from '../../../auth/names.ts';
import { newRawId } from '../../../auth/random.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeAllowedOwner, mustBeAbleToOwnMore } from '../../members/index.ts';
import { defaultQuotas } from '../../instance/index.ts';
import { isNameTaken } from '../sql/repository-names.ts';

/** Creates a repository; only administrators may name another owner. */
export const CreateRepository: Handler<'repositories_CreateRepository', string> = {
  authorize: ({ tx, actor, input }) => mustBeAllowedOwner(tx, actor, input),

  async run({ tx, input, now, emit }, ownerId) {
    const name = mustBeRepositoryName(input.name ?? input.displayName ?? '');
    const visibility = input.visibility ?? 'Private';
    const rawId = newRawId();
    await mustBeAbleToOwnMore(tx, ownerId);
    if (await isNameTaken(tx, name, { ownerId }, now)) return { result: 'NameAlreadyExists' };
    await tx
      .insertInto('repositories')
      .values({ repository_id: rawId, name, visibility, created_at: now, ...(await defaultQuotas(tx)) })
      .execute();
    await tx
      .insertInto('repository_members')
      .values({ repository_id: rawId, user_id: ownerId, is_owner: true, added_at: now })
      .execute();
    const repositoryId = ids.repository.of(rawId);
    emit('repositories_Created', { repositoryId, name, visibility });
    emit('repositories_MemberAdded', { repositoryId, userId: ids.user.of(ownerId), isOwner: true });
    return { result: 'Created', repositoryId };
  },
};
