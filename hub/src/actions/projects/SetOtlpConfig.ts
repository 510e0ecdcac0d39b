import { ActionError } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { mustOwnProject } from '../../policy/projects.ts';

/** Refuses to switch on what this hub does not have; to switch it off is no more than the truth. */
export const SetOtlpConfig: Handler<'projects_SetOtlpConfig'> = {
  authorize: ({ tx, actor, input }) => mustOwnProject(tx, actor, input.projectId),

  async run({ input }) {
    if (input.config.enabled) throw new ActionError('Invalid', 'This hub does not export telemetry.');
    return {};
  },
};
