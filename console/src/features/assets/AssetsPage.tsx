import type { Id } from '@corral/contract';
import { useMemo } from 'react';
import { repositoryQuery } from '../../data/queries-repositories.ts';
import { useLoadedQuery } from '../../data/use-loaded-query.ts';
import { AssetDrawer } from '../../parts/asset/AssetDrawer.tsx';
import { ResourceListPage } from '../../parts/ResourceListPage.tsx';
import { rowsPerPage } from '../../parts/list-limits.ts';
import { searchedRows } from '../../parts/searched-rows.ts';
import type { TableSearch } from '../../parts/table-search.ts';
import { useUrlSearch } from '../../parts/use-url-search.ts';
import { formatSize } from '../../ui/text/format-size.ts';
import { assetColumns } from './asset-columns.tsx';
import { assetsCopy as words } from './copy.ts';
import { repositoryAssetsQuery } from './queries.ts';

/** The search parameters of the assets: those of a list, and the asset that is open in the drawer. */
export type AssetsSearch = TableSearch & { asset?: string };

/** The assets of a repository, and the drawer of one of them. */
export function AssetsPage({ repositoryId }: { repositoryId: Id<'repository'> }) {
  const { assetCount, usedBytes } = useLoadedQuery(repositoryQuery(repositoryId)).data;
  const [search, change] = useUrlSearch<AssetsSearch>();
  const open = (asset: string) => change({ asset });
  return (
    <ResourceListPage
      meta={(count) => count > 0 && words.summary(Math.max(count, assetCount), formatSize(usedBytes))}
      source={searchedRows((asked) => repositoryAssetsQuery(repositoryId, rowsPerPage, asked), {
        rowsOf: ({ assets }) => assets,
        keyOf: ({ assetId }) => assetId,
        orders: ['name', 'digest', 'size', 'status', 'uses', 'createdAt'],
        total: assetCount,
      })}
      // `open`: unstable identity, same behaviour.
      // oxlint-disable-next-line react/exhaustive-deps
      columns={useMemo(() => assetColumns(open), [])}
      rowKey={({ assetId }) => assetId}
      filterLabel={words.filter}
      csvName={words.csvName}
      onOpen={({ assetId }) => open(assetId)}
      empty={{ title: words.emptyTitle, text: words.emptyText }}
    >
      <AssetDrawer
        repositoryId={repositoryId}
        opened={search.asset === undefined ? undefined : { assetId: search.asset as Id<'asset'> }}
        onClose={() => change({ asset: undefined })}
      />
    </ResourceListPage>
  );
}
