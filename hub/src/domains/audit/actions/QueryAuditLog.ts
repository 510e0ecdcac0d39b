import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../projects/index.ts';
import { readEventsAbout } from '../sql/audit-log.ts';

/** Lists the audit events of a project, for its members. */
export const QueryAuditLog: Handler<'projects_QueryAuditLog', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, input, now }, { projectId }) {
    const request = { ...input, before: input.before && ids.auditEvent.raw(input.before) };
    const { items, more } = await readEventsAbout(tx, { kind: 'project', id: projectId }, request, now);
    return { events: items, ...more };
  },
};
