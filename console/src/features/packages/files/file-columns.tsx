import type { Id } from '@corral/contract';
import { Download, Eye } from 'lucide-react';
import { AssetBadge } from '../../../parts/asset/AssetBadge.tsx';
import { downloadProblem, needsAttention } from '../../../parts/asset/asset-state.ts';
import { assetCopy } from '../../../parts/asset/copy.ts';
import { actionsColumn, idColumn } from '../../../ui/table/columns.tsx';
import type { DataColumn } from '../../../ui/table/data-table.ts';
import { ByteCount } from '../../../ui/text/ByteCount.tsx';
import { packagesCopy } from '../copy.ts';
import type { OwnedFile } from './uploads/upload-file.ts';

const words = packagesCopy.files.columns;

/** The columns of the files of a version or package; that of the status only if a file needs attention. */
export function fileColumns(
  files: readonly OwnedFile[],
  actions: {
    download: (assetId: Id<'asset'>, filename: string) => Promise<void>;
    open: (filename: string) => void;
  },
): DataColumn<OwnedFile>[] {
  const status: DataColumn<OwnedFile> = {
    id: 'status',
    header: words.status,
    value: (file) => file.status,
    cell: (file) => needsAttention(file) && <AssetBadge asset={file} />,
    onPhone: 'badge',
  };
  return [
    {
      id: 'filename',
      header: words.filename,
      value: ({ filename }) => filename,
      cell: ({ filename }) => (
        <bdi className="font-head wrap-anywhere whitespace-pre-wrap text-ink">{filename}</bdi>
      ),
      onPhone: 'title',
    },
    ...(files.some((file) => needsAttention(file)) ? [status] : []),
    idColumn({
      id: 'digest',
      header: words.digest,
      of: ({ digest }) => digest,
      what: assetCopy.digest,
      length: 17,
      onPhone: 'labelled',
    }),
    {
      id: 'size',
      header: words.size,
      align: 'end',
      value: ({ size }) => size,
      cell: ({ size }) => <ByteCount bytes={size} />,
    },
    actionsColumn({
      width: '13.5rem',
      of: (file) => [
        {
          label: assetCopy.download,
          name: assetCopy.downloadOf(file.filename),
          icon: <Download aria-hidden />,
          disabledReason: downloadProblem(file),
          onSelect: () => actions.download(file.assetId as Id<'asset'>, file.filename),
        },
        {
          label: assetCopy.view,
          name: assetCopy.viewOf(file.filename),
          icon: <Eye aria-hidden />,
          isNavigation: true,
          onSelect: () => actions.open(file.filename),
        },
      ],
    }),
  ];
}
