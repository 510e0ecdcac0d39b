import type { Handler } from '../../../calls/handler.ts';
import { mustOwnProject, type ProjectAccess } from '../../projects/index.ts';
import { readStatus } from '../sql/export-status.ts';

/** Returns how the export of a project stands. */
export const GetOtlpStatus: Handler<'projects_GetOtlpStatus', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustOwnProject(tx, actor, input.projectId),
  run: async ({ tx, now }, { projectId }) => ({ streams: await readStatus(tx, projectId, now) }),
};
