import type { Handler } from '../../../calls/handler.ts';
import { mustSeeProject } from '../policy/projects.ts';

/** Returns a disabled configuration: this hub does not export telemetry. */
export const GetOtlpConfig: Handler<'projects_GetOtlpConfig'> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run() {
    return { config: { enabled: false, headers: {} } };
  },
};
