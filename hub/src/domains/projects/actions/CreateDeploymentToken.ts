import { ActionError, ids, type Input } from '@corral/contract';
import { sql } from 'kysely';
import { mustBeName } from '../../../auth/names.ts';
import { newRawSecret } from '../../../auth/random.ts';
import { hashSecret, lookupKey } from '../../../auth/secret.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../policy/projects.ts';
import { amounts } from '../../../limits/amounts.ts';

/** Creates a deployment token; any member may, since any member may accept certificates. */
export const CreateDeploymentToken: Handler<'projects_CreateDeploymentToken', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, input, now, emit }, { projectId }) {
    const name = mustBeName(input.name, 'name');
    const autoAccept = input.flags?.autoAccept ?? false;
    const { expiresAt, maxUses } = input;
    mustEndLater(input, now);
    const secret = newRawSecret();
    const { rows } = await sql`
      insert into deployment_tokens (token_id, secret_hash, project_id, name, auto_accept, created_at, expires_at, max_uses)
      select ${lookupKey(secret)}, ${hashSecret(secret)}, ${projectId}, ${name}, ${autoAccept}, ${now}, ${expiresAt ?? null}, ${maxUses ?? null}
      where (select count(*) from deployment_tokens where project_id = ${projectId} and device_id is null) < ${amounts.deploymentTokens.max}
      returning 1`.execute(tx);
    if (rows.length === 0)
      throw new ActionError(
        'Invalid',
        'A project may have at most 1,000 deployment tokens. Delete some first.',
      );
    const tokenId = ids.deploymentTokenId.of(lookupKey(secret));
    emit('projects_DeploymentTokenCreated', {
      projectId: input.projectId,
      tokenId,
      flags: { autoAccept },
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(maxUses === undefined ? {} : { maxUses }),
    });
    return { tokenId, token: ids.deploymentToken.of(secret) };
  },
};

function mustEndLater({ expiresAt, maxUses }: Input<'projects_CreateDeploymentToken'>, now: Date): void {
  if (expiresAt !== undefined && Date.parse(expiresAt) <= now.getTime())
    throw new ActionError('Invalid', 'A deployment token must expire in the future.');
  if (maxUses === 0) throw new ActionError('Invalid', 'A deployment token must enrol at least one device.');
}
