import { ActionError, ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../policy/projects.ts';
import { exportEvents, isEntryOf } from '../../store/audit-log-export.ts';

/** Exports the audit events of a project with their proofs, for its members. */
export const ExportAuditLog: Handler<'projects_ExportAuditLog', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, vault, input }, { projectId }) {
    const after = input.after && ids.auditEvent.raw(input.after);
    if (after !== undefined && !(await isEntryOf(tx, projectId, after)))
      throw new ActionError('Invalid', 'Audit event not found.');
    const { lines, next } = await exportEvents({ tx, vault }, projectId, after);
    return { lines, ...(next === undefined ? {} : { next: ids.auditEvent.of(next) }) };
  },
};
