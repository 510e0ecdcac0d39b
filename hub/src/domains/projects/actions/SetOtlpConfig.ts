import { ActionError } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustOwnProject } from '../policy/projects.ts';

/** Accepts only a disabled configuration: this hub does not export telemetry. */
export const SetOtlpConfig: Handler<'projects_SetOtlpConfig'> = {
  authorize: ({ tx, actor, input }) => mustOwnProject(tx, actor, input.projectId),

  async run({ input }) {
    if (input.config.enabled) throw new ActionError('Invalid', 'This hub does not export telemetry.');
    return {};
  },
};
