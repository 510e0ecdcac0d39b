import type { Output } from '@corral/contract';
import { Eye } from 'lucide-react';
import { terms } from '../../copy/terms.ts';
import { AssetBadge } from '../../parts/asset/AssetBadge.tsx';
import { assetCopy } from '../../parts/asset/copy.ts';
import { actionsColumn, badgeColumn, countColumn, idColumn, timeColumn } from '../../ui/table/columns.tsx';
import type { DataColumn } from '../../ui/table/data-table.ts';
import { ByteCount } from '../../ui/text/ByteCount.tsx';
import { assetsCopy } from './copy.ts';

type ListedAsset = Output<'repositories_QueryRepositoryAssets'>['assets'][number];

const words = assetsCopy.columns;

/** Which files an asset is, as far as they are told. */
function FileNames({ asset: { filenames = [] } }: { asset: ListedAsset }) {
  if (filenames.length === 0) return null;
  const names = filenames.join(', ');
  return (
    <span className="block truncate text-small font-normal text-ink2" title={names}>
      {names}
    </span>
  );
}

/** The columns of the assets of a repository. */
export function assetColumns(open: (assetId: string) => void): DataColumn<ListedAsset>[] {
  const ids = idColumn<ListedAsset>({
    id: 'name',
    header: words.name,
    width: '12rem',
    of: ({ assetId }) => assetId,
    what: terms.ids.asset,
    length: 14,
    onPhone: 'title',
  });
  return [
    {
      ...ids,
      cell: (asset) => (
        <>
          {ids.cell?.(asset)}
          <FileNames asset={asset} />
        </>
      ),
      phoneCell: (asset) => (
        <>
          {ids.phoneCell?.(asset)}
          <FileNames asset={asset} />
        </>
      ),
    },
    idColumn({
      id: 'digest',
      header: words.digest,
      width: '12.5rem',
      of: ({ digest }) => digest,
      what: assetCopy.digest,
      length: 16,
      onPhone: 'labelled',
    }),
    {
      id: 'size',
      header: words.size,
      width: '8rem',
      align: 'end',
      value: ({ size }) => size,
      cell: ({ size }) => <ByteCount bytes={size} />,
    },
    badgeColumn({
      id: 'status',
      header: words.status,
      width: '9rem',
      isExtra: true,
      of: ({ status }) => assetCopy.statuses[status],
      badge: (asset) => <AssetBadge asset={asset} />,
    }),
    countColumn({
      id: 'uses',
      header: words.uses,
      width: '5.5rem',
      isExtra: true,
      of: ({ referenceCount }) => referenceCount,
      cell: ({ referenceCount: uses }) =>
        uses > 0 ? (
          <span className="tabular text-ink2">{uses}</span>
        ) : (
          <span className="text-ink3">{assetsCopy.unused}</span>
        ),
    }),
    timeColumn({
      id: 'createdAt',
      header: words.created,
      width: '7.5rem',
      isExtra: true,
      of: ({ createdAt }) => createdAt,
    }),
    actionsColumn({
      width: '6.5rem',
      of: ({ assetId }) => [
        {
          label: assetCopy.view,
          name: assetCopy.viewOf(assetId),
          icon: <Eye aria-hidden />,
          isNavigation: true,
          onSelect: () => open(assetId),
        },
      ],
    }),
  ];
}
