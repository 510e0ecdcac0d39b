import type { Handler } from '../../executor/handler.ts';
import { mustSeeProject } from '../../policy/projects.ts';

/** Tells that nothing is exported: this hub has no export of telemetry. */
export const GetOtlpConfig: Handler<'projects_GetOtlpConfig'> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run() {
    return { config: { enabled: false, headers: {} } };
  },
};
