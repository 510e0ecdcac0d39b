import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeAdministrator } from '../../users/index.ts';
import { findDamagedRepositories, type DamagedRepository } from '../../assets/index.ts';
import { countInstance, lastDays } from '../sql/instance-counts.ts';
import { newerRelease } from '../sql/newest-release.ts';
import { measureStorage } from '../sql/stored-bytes.ts';

/** Counts what the instance has, now and on the last days, for administrators. */
export const GetInstanceStatistics: Handler<'instance_GetInstanceStatistics'> = {
  authorize: ({ tx, actor }) => mustBeAdministrator(tx, actor),

  async run({ tx, now }) {
    const counts = await countInstance(tx, now);
    const damaged = await findDamagedRepositories(tx);
    const newer = await newerRelease(tx, now);
    return {
      ...counts,
      ...(damaged.length === 0 ? {} : { damagedAssets: toDamaged(damaged) }),
      ...(newer === undefined ? {} : { newerRelease: newer }),
      storage: await measureStorage(tx),
      days: await lastDays(tx, counts, now),
    };
  },
};

function toDamaged(repositories: readonly DamagedRepository[]) {
  return {
    count: repositories[0]?.total ?? 0,
    repositories: repositories.map(({ repository_id: id, name, count }) => ({
      repositoryId: ids.repository.of(id),
      name,
      count,
    })),
  };
}
