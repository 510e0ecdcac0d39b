import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../projects/index.ts';
import { expectedByRotation } from '../sql/certificate-rotations.ts';
import { listOrder, sortKey } from '../../../platform/db/paging/list-order.ts';
import { filteredScope, readPage } from '../../../platform/db/paging/read-page.ts';

interface Row {
  readonly certificate_id: string;
  readonly device_id: string;
  readonly name: string | null;
  readonly hostname: string | null;
  readonly fingerprint: string;
  readonly created_at: string;
  readonly token_name: string | null;
  readonly address: string | null;
  readonly is_expected: boolean;
}

/** New ones come to the end, so that rows under review stay where they are. A row has a name and a host name of a few hundred characters. */
const oldestFirst = listOrder<Row>(
  'projects_QueryPendingCertificates',
  'asc',
  [
    sortKey('created_at', 'timestamptz', sql`c.created_at`),
    sortKey('certificate_id', 'text', sql`c.certificate_id`),
  ],
  { firstBatchRows: 500 },
);

/** Lists the pending certificates of a project, those that wait longest first. */
export const QueryPendingCertificates: Handler<'projects_QueryPendingCertificates', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, input, now }, { projectId }) {
    const { deviceIds } = input;
    const ofDevices =
      deviceIds === undefined
        ? sql`true`
        : sql`c.device_id = any(${deviceIds.map((id) => ids.device.raw(id))})`;
    const { items, more } = await readPage(oldestFirst, input, {
      scope: filteredScope(projectId, deviceIds?.toSorted().join(' ')),
      read: async (slice) => {
        const { rows } = await sql<Row>`
          select c.certificate_id, c.device_id, d.name, d.hostname, c.fingerprint, c.created_at, c.address, t.name as token_name,
            ${expectedByRotation(now)} as is_expected
          from device_certificates c join devices d using (device_id) left join deployment_tokens t on t.token_id = d.enrolled_by
          where c.status = 'Pending' and d.project_id = ${projectId} and ${ofDevices} and ${slice.follows} ${slice.orderAndLimit}`.execute(
          tx,
        );
        return rows;
      },
      toItem: toOutput,
    });
    return { certificates: items, ...more };
  },
};

function toOutput(row: Row) {
  return {
    certificateId: ids.deviceCertificate.of(row.certificate_id),
    deviceId: ids.device.of(row.device_id),
    ...(row.name === null ? {} : { deviceName: row.name }),
    ...(row.hostname === null ? {} : { hostname: row.hostname }),
    fingerprint: row.fingerprint,
    createdAt: row.created_at,
    ...(row.token_name === null ? {} : { tokenName: row.token_name }),
    ...(row.address === null ? {} : { address: row.address }),
    ...(row.is_expected ? { isExpected: true } : {}),
  };
}
