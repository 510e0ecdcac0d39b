import { ids, maxEnrolledCounted } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../policy/projects.ts';
import { listOrder, sortKey } from '../../../platform/db/paging/list-order.ts';
import { readPage } from '../../../platform/db/paging/read-page.ts';

interface Row {
  readonly token_id: string;
  readonly name: string;
  readonly auto_accept: boolean;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly enrolled: number;
  readonly expires_at: string | null;
  readonly max_uses: number | null;
  readonly uses: number;
  readonly device_id: string | null;
}

const newestFirst = listOrder<Row>('projects_QueryProjectDeploymentTokens', 'desc', [
  sortKey('created_at', 'timestamptz', sql`t.created_at`),
  sortKey('token_id', 'text', sql`t.token_id`),
]);

/**
 * At most so many devices of each token are read. Both bounds say no more than `=`, by which the server would read all devices for each token instead of the
 * index where one token has enrolled most of them.
 */
const enrolled = sql`
  select count(*) from (
    select from devices d where d.enrolled_by >= t.token_id and d.enrolled_by <= t.token_id
    order by d.enrolled_by limit ${maxEnrolledCounted + 1}
  ) as counted`;

/** Lists the deployment tokens of a project, newest first, with their use. */
export const QueryProjectDeploymentTokens: Handler<'projects_QueryProjectDeploymentTokens', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, input }, { projectId }) {
    const { items, more } = await readPage(newestFirst, input, {
      scope: projectId,
      read: async (slice) => {
        const { rows } = await sql<Row>`
          select t.token_id, t.name, t.auto_accept, t.created_at, t.last_used_at, t.expires_at, t.max_uses, t.uses, t.device_id,
            (${enrolled}) as enrolled
          from deployment_tokens t where t.project_id = ${projectId} and ${slice.follows} ${slice.orderAndLimit}`.execute(
          tx,
        );
        return rows;
      },
      toItem: toOutput,
    });
    return { tokens: items, ...more };
  },
};

function toOutput(row: Row) {
  return {
    tokenId: ids.deploymentTokenId.of(row.token_id),
    createdAt: row.created_at,
    name: row.name,
    ...(row.last_used_at === null ? {} : { lastUsedAt: row.last_used_at }),
    enrolledDevices: row.enrolled,
    flags: { autoAccept: row.auto_accept },
    ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
    ...(row.max_uses === null ? {} : { maxUses: row.max_uses, uses: row.uses }),
    ...(row.device_id === null ? {} : { deviceId: ids.device.of(row.device_id) }),
  };
}
