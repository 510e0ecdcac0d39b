import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustSeeDeploymentToken, type ProjectAccess } from '../policy/projects.ts';

/** Deletes a deployment token; its devices stay, and gateways close its connections on the event. */
export const DeleteDeploymentToken: Handler<'projects_DeleteDeploymentToken', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeDeploymentToken(tx, actor, input.tokenId),

  async run({ tx, input, emit }, { projectId }) {
    const deleted = await tx
      .deleteFrom('deployment_tokens')
      .where('token_id', '=', ids.deploymentTokenId.raw(input.tokenId))
      .returning('name')
      .executeTakeFirst();
    if (deleted === undefined) throw notFound('Deployment token');
    const named = deleted.name === null ? {} : { name: deleted.name };
    const data = { projectId: ids.project.of(projectId), tokenId: input.tokenId, ...named };
    emit('projects_DeploymentTokenDeleted', data);
    return {};
  },
};
