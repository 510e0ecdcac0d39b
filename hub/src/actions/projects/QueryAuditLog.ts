import { ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../policy/projects.ts';
import { readEventsAbout } from '../../store/audit-log.ts';

/** Lists the audit events of a project, for its members. */
export const QueryAuditLog: Handler<'projects_QueryAuditLog', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, input, now }, { projectId }) {
    const request = { ...input, before: input.before && ids.auditEvent.raw(input.before) };
    const { items, more } = await readEventsAbout(tx, { kind: 'project', id: projectId }, request, now);
    return { events: items, ...more };
  },
};
