import { ids, type Id } from '@corral/contract';
import { newRawId } from '../src/auth/random.ts';
import type { Seedable } from './seed-repository.ts';
import type { Somebody } from './seed.ts';

/** Adds a publisher of a CI that no setting needs to allow. */
export async function seedPublisher(
  hub: Seedable,
  owner: Somebody,
  repositoryId: Id<'repository'>,
): Promise<Id<'publisher'>> {
  const account = { repositoryId, name: 'releases' };
  const { userId } = await hub.as(owner, 'repositories_CreateRepositoryServiceAccount', account);
  const publisherId = newRawId();
  await hub.database.db
    .insertInto('publishers')
    .values({
      publisher_id: publisherId,
      repository_id: ids.repository.raw(repositoryId),
      user_id: ids.user.raw(userId),
      name: 'releases',
      kind: 'Other',
      issuer: 'https://ci.test',
      conditions: JSON.stringify([{ claim: 'project', expected: '1' }]),
      allows_pull_requests: false,
      created_at: hub.now(),
    })
    .execute();
  return ids.publisher.of(publisherId);
}
