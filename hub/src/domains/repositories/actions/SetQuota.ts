import { ids } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeAdministrator } from '../../users/index.ts';

/** Sets how much a repository may have; a quota below what it has refuses new assets only. */
export const SetQuota: Handler<'repositories_SetQuota'> = {
  authorize: ({ tx, actor }) => mustBeAdministrator(tx, actor),

  async run({ tx, input, emit }) {
    const { repositoryId, maxBytes, maxAssets } = input;
    const changed = await tx
      .updateTable('repositories')
      .set({ max_bytes: maxBytes ?? null, max_assets: maxAssets ?? null })
      .where('repository_id', '=', ids.repository.raw(repositoryId))
      .executeTakeFirst();
    if (changed.numUpdatedRows === 0n) throw notFound('Repository');
    emit('repositories_QuotaChanged', {
      repositoryId,
      ...(maxBytes === undefined ? {} : { maxBytes }),
      ...(maxAssets === undefined ? {} : { maxAssets }),
    });
    return {};
  },
};
