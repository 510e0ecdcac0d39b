import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../executor/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../policy/projects.ts';

interface Row {
  readonly token_id: string;
  readonly name: string;
  readonly auto_accept: boolean;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly enrolled: number;
}

/** Lists the deployment tokens of a project, newest first, with their use. */
export const QueryProjectDeploymentTokens: Handler<'projects_QueryProjectDeploymentTokens', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx }, { projectId }) {
    const { rows } = await sql<Row>`
      select token_id, name, auto_accept, created_at, last_used_at,
        (select count(*) from devices d where d.enrolled_by = t.token_id) as enrolled
      from deployment_tokens t where project_id = ${projectId}
      order by created_at desc, token_id`.execute(tx);
    return { tokens: rows.map(shown) };
  },
};

function shown(row: Row) {
  return {
    tokenId: ids.deploymentTokenId.of(row.token_id),
    createdAt: row.created_at,
    name: row.name,
    ...(row.last_used_at === null ? {} : { lastUsedAt: row.last_used_at }),
    enrolledDevices: row.enrolled,
    flags: { autoAccept: row.auto_accept },
  };
}
