import { FileBox } from 'lucide-react';
import { useMemo } from 'react';
import { useDownload } from '../../../parts/asset/use-download.ts';
import { ResourceTable } from '../../../parts/ResourceTable.tsx';
import { useTableSearch } from '../../../parts/use-table-search.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { formatSize } from '../../../ui/text/format-size.ts';
import { packagesCopy } from '../copy.ts';
import { fileColumns, type Version } from './file-columns.tsx';

const words = packagesCopy.version;

/** The files of a version. */
export function VersionFiles({
  version: { assets },
  onOpen,
}: {
  version: Version;
  onOpen: (filename: string) => void;
}) {
  const download = useDownload();
  const columns = useMemo(
    () => fileColumns(assets, { download, open: onOpen }),
    // `onOpen`: unstable identity, same behaviour.
    // oxlint-disable-next-line react/exhaustive-deps
    [assets, download],
  );
  const total = assets.reduce((sum, { size }) => sum + size, 0);
  return (
    <Card
      isFlush
      title={words.files}
      meta={assets.length > 0 && words.total(assets.length, formatSize(total))}
    >
      <ResourceTable
        isFlush
        label={words.files}
        columns={columns}
        rows={{ rows: assets }}
        search={useTableSearch(columns)}
        rowKey={({ filename }) => filename}
        onOpen={({ filename }) => onOpen(filename)}
        empty={{
          icon: <FileBox size={20} aria-hidden />,
          title: words.noFilesTitle,
          text: words.noFilesText,
        }}
      />
    </Card>
  );
}
