import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustSeeDeploymentToken, type ProjectAccess } from '../policy/projects.ts';

/** Sets the given flags; others are kept. */
export const SetDeploymentTokenFlags: Handler<'projects_SetDeploymentTokenFlags', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeDeploymentToken(tx, actor, input.tokenId),

  async run({ tx, input, emit }, { projectId }) {
    const { autoAccept } = input.flags;
    if (autoAccept === undefined) return {};
    const changed = await tx
      .updateTable('deployment_tokens')
      .set({ auto_accept: autoAccept })
      .where('token_id', '=', ids.deploymentTokenId.raw(input.tokenId))
      .executeTakeFirst();
    if (changed.numUpdatedRows === 0n) throw notFound('Deployment token');
    emit('projects_DeploymentTokenFlagsChanged', {
      projectId: ids.project.of(projectId),
      tokenId: input.tokenId,
      flags: { autoAccept },
    });
    return {};
  },
};
