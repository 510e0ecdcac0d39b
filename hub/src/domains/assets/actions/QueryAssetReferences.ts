import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { mustReadAsset } from '../../repositories/index.ts';
import { listOrder, sortKey } from '../../../platform/db/paging/list-order.ts';
import { readPage } from '../../../platform/db/paging/read-page.ts';

interface Row {
  readonly package_id: string;
  readonly package_name: string;
  /** Empty for a file of the package itself. */
  readonly version_id: string;
  readonly version_name: string | null;
  readonly filename: string;
  readonly added_at: string;
}

const newestFirst = listOrder<Row>('repositories_QueryAssetReferences', 'desc', [
  sortKey('added_at', 'timestamptz', sql`f.added_at`),
  sortKey('version_id', 'text', sql`f.version_id`),
  sortKey('package_id', 'text', sql`p.package_id`),
  sortKey('filename', 'text', sql`f.filename`),
]);

/** Lists the files whose content is an asset, newest first. */
export const QueryAssetReferences: Handler<'repositories_QueryAssetReferences'> = {
  authorize: ({ tx, actor, input }) => mustReadAsset(tx, actor, input.assetId),

  async run({ tx, input }) {
    const assetId = ids.asset.raw(input.assetId);
    const { items, more } = await readPage(newestFirst, input, {
      scope: assetId,
      read: async (slice) => {
        const { rows } = await sql<Row>`
          select p.package_id, p.name as package_name, f.version_id, v.name as version_name, f.filename, f.added_at from (
            select version_id, '' as package_id, filename, added_at from version_assets where asset_id = ${assetId}
            union all select '', package_id, filename, added_at from package_assets where asset_id = ${assetId}
          ) as f left join package_versions v on v.version_id = f.version_id
            join packages p on p.package_id = coalesce(v.package_id, f.package_id)
          where ${slice.follows} ${slice.orderAndLimit}`.execute(tx);
        return rows;
      },
      toItem: toReference,
    });
    return { references: items, ...more };
  },
};

function toReference(row: Row) {
  return {
    packageId: ids.package.of(row.package_id),
    packageName: row.package_name,
    ...(row.version_id === '' ? {} : { versionId: ids.packageVersion.of(row.version_id) }),
    ...(row.version_name === null ? {} : { versionName: row.version_name }),
    filename: row.filename,
    addedAt: row.added_at,
  };
}
