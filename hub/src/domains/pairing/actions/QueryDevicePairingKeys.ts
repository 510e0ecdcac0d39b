import { ids, type Output } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { listOrder, sortKey } from '../../../platform/db/paging/list-order.ts';
import { readPage } from '../../../platform/db/paging/read-page.ts';
import { liveConnection } from '../../devices/index.ts';
import { mustOwnProject, type ProjectAccess } from '../../projects/index.ts';

interface Row {
  readonly pairing_key_id: string;
  readonly selector: string;
  readonly name: string | null;
  readonly tries: number;
  readonly created_at: string;
  readonly expires_at: string;
  readonly used_at: string | null;
  readonly revoked_at: string | null;
  readonly token_id: string | null;
  readonly device_id: string | null;
  readonly is_connected: boolean;
}

const newestFirst = listOrder<Row>('projects_QueryDevicePairingKeys', 'desc', [
  sortKey('created_at', 'timestamptz', sql`k.created_at`),
  sortKey('pairing_key_id', 'text', sql`k.pairing_key_id`),
]);

/** Lists the pairing keys of a project, newest first, without their secrets. */
export const QueryDevicePairingKeys: Handler<'projects_QueryDevicePairingKeys', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustOwnProject(tx, actor, input.projectId),

  async run({ tx, input, now }, { projectId }) {
    const { items, more } = await readPage(newestFirst, input, {
      scope: projectId,
      read: async (slice) => {
        const { rows } = await sql<Row>`
          select k.pairing_key_id, k.selector, k.name, k.tries, k.created_at, k.expires_at, k.used_at, k.revoked_at, k.token_id, d.device_id,
            ${liveConnection(now)} as is_connected
          from pairing_keys k left join deployment_tokens t on t.token_id = k.token_id left join devices d on d.device_id = t.device_id
          where k.project_id = ${projectId} and ${slice.follows} ${slice.orderAndLimit}`.execute(tx);
        return rows;
      },
      toItem: toOutput,
    });
    return { pairingKeys: items, ...more };
  },
};

function toOutput(row: Row): Output<'projects_QueryDevicePairingKeys'>['pairingKeys'][number] {
  return {
    pairingKeyId: ids.pairingKey.of(row.pairing_key_id),
    selector: row.selector,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    ...(row.used_at === null ? {} : { usedAt: row.used_at }),
    ...(row.revoked_at === null ? {} : { revokedAt: row.revoked_at }),
    ...(row.name === null ? {} : { name: row.name }),
    ...(row.device_id === null
      ? {}
      : { deviceId: ids.device.of(row.device_id), isConnected: row.is_connected }),
    ...(row.token_id === null ? {} : { tokenId: ids.deploymentTokenId.of(row.token_id) }),
    tries: row.tries,
  };
}
