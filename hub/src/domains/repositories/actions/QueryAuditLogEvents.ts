import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeMembers, type RepositoryAccess } from '../policy/repositories.ts';
import { readEventsAbout } from '../../audit/index.ts';

/** Lists the audit events of a repository, for its members. */
export const QueryAuditLogEvents: Handler<'repositories_QueryAuditLogEvents', RepositoryAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeMembers(tx, actor, input.repositoryId),

  async run({ tx, input, now }, { repositoryId }) {
    const request = { ...input, before: input.before && ids.auditEvent.raw(input.before) };
    const { items, more } = await readEventsAbout(tx, { kind: 'repository', id: repositoryId }, request, now);
    return { events: items, ...more };
  },
};
