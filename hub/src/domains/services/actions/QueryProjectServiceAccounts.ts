import type { Handler } from '../../../calls/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../projects/index.ts';
import { readServiceAccounts } from '../sql/service-accounts.ts';

/** Lists the service accounts of a project, for its members. */
export const QueryProjectServiceAccounts: Handler<'projects_QueryProjectServiceAccounts', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),
  run: ({ tx, input }, { projectId }) => readServiceAccounts(tx, { kind: 'project', id: projectId }, input),
};
