import { ActionError, ids } from '@corral/contract';
import { sql } from 'kysely';
import { mustBeName } from '../../../auth/names.ts';
import { newRawId } from '../../../auth/random.ts';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import type { Handler } from '../../../calls/handler.ts';
import { amounts } from '../../../limits/amounts.ts';
import { mustOwnRepository, type RepositoryAccess } from '../../repositories/index.ts';
import { addServiceAccount } from '../../services/index.ts';
import { sessionPrincipal } from '../../users/index.ts';
import { mustBeConditions } from '../policy/conditions.ts';

/** Allows jobs of a CI to publish, as a service account of the repository. */
export const AddPublisher: Handler<'repositories_AddPublisher', RepositoryAccess> = {
  async authorize(context) {
    const { tx, actor, input } = context;
    // What a stolen token or an open session made here would outlive it.
    sessionPrincipal(actor);
    const access = await mustOwnRepository(tx, actor, input.repositoryId);
    mustBeSteppedUp(context);
    return access;
  },

  async run({ tx, input, now, emit, ciIssuers }, { repositoryId }) {
    const { kind, issuer, conditions } = input;
    const name = mustBeName(input.name, 'name');
    mustBeConditions(input, ciIssuers.list());
    // Counted while no other call adds one.
    await sql`select 1 from repositories where repository_id = ${repositoryId} for update`.execute(tx);
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from publishers where repository_id = ${repositoryId}`.execute(tx);
    if ((rows[0]?.count ?? 0) >= amounts.publishers.max)
      throw new ActionError('Invalid', `A repository may have at most ${amounts.publishers.max} publishers.`);
    const rawId = newRawId();
    const userId = await addServiceAccount(tx, { kind: 'repository', id: repositoryId }, name, now);
    await tx
      .insertInto('publishers')
      .values({
        publisher_id: rawId,
        repository_id: repositoryId,
        user_id: userId,
        name,
        kind,
        issuer,
        conditions: JSON.stringify(conditions),
        allows_pull_requests: input.allowsPullRequests ?? false,
        created_at: now,
      })
      .execute();
    const publisherId = ids.publisher.of(rawId);
    emit('repositories_PublisherAdded', { repositoryId: input.repositoryId, publisherId, name });
    return { publisherId };
  },
};
