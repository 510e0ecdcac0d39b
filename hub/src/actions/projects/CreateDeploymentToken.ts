import { ids } from '@corral/contract';
import { mustBeName } from '../../auth/names.ts';
import { newRawSecret } from '../../auth/random.ts';
import { hashSecret, lookupKey } from '../../auth/secret.ts';
import type { Handler } from '../../executor/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../policy/projects.ts';

/** Creates a deployment token; any member may, since any member may accept certificates. */
export const CreateDeploymentToken: Handler<'projects_CreateDeploymentToken', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, input, now, emit }, { projectId }) {
    const name = mustBeName(input.name, 'name');
    const autoAccept = input.flags?.autoAccept ?? false;
    const secret = newRawSecret();
    await tx
      .insertInto('deployment_tokens')
      .values({
        token_id: lookupKey(secret),
        secret_hash: hashSecret(secret),
        project_id: projectId,
        name,
        auto_accept: autoAccept,
        created_at: now,
      })
      .execute();
    const tokenId = ids.deploymentTokenId.of(lookupKey(secret));
    emit('projects_DeploymentTokenCreated', { projectId: input.projectId, tokenId, flags: { autoAccept } });
    return { tokenId, token: ids.deploymentToken.of(secret) };
  },
};
