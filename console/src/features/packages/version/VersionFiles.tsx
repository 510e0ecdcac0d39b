import type { Id } from '@corral/contract';
import { FileBox } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { repositoryQuery } from '../../../data/queries-repositories.ts';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { useDownload } from '../../../parts/asset/use-download.ts';
import { ResourceTable } from '../../../parts/ResourceTable.tsx';
import { useTableSearch } from '../../../parts/use-table-search.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { formatSize } from '../../../ui/text/format-size.ts';
import { packagesCopy } from '../copy.ts';
import { fileColumns, type Version } from './file-columns.tsx';
import { DropArea } from './uploads/DropArea.tsx';
import { UnfinishedNotice } from './uploads/UnfinishedNotice.tsx';
import { UploadButton } from './uploads/UploadButton.tsx';
import { UploadList } from './uploads/UploadList.tsx';
import { useUploads } from './uploads/uploads.ts';

const words = packagesCopy.version;

interface VersionFilesProps {
  version: Version;
  onOpen: (filename: string) => void;
}

/** The files of a version; whoever may write can add some. */
export function VersionFiles(props: VersionFilesProps) {
  const repositoryId = props.version.repositoryId as Id<'repository'>;
  const { canWrite } = useLoadedQuery(repositoryQuery(repositoryId)).data;
  if (!canWrite) return <FileTable {...props} />;
  return <WritableFiles key={props.version.versionId} {...props} repositoryId={repositoryId} />;
}

function WritableFiles({
  repositoryId,
  ...props
}: VersionFilesProps & { readonly repositoryId: Id<'repository'> }) {
  const versionId = props.version.versionId as Id<'packageVersion'>;
  const { queue, items, unfinished, forget } = useUploads(versionId);
  const add = (files: readonly File[]) => queue.add(files, { repositoryId, versionId });
  return (
    <DropArea onFiles={add}>
      <FileTable {...props} actions={<UploadButton onFiles={add} />}>
        <UnfinishedNotice filenames={unfinished} onForget={forget} />
        <UploadList {...{ queue, items }} />
      </FileTable>
    </DropArea>
  );
}

function FileTable({
  version: { assets },
  onOpen,
  actions,
  children,
}: VersionFilesProps & { actions?: ReactNode; children?: ReactNode }) {
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
      actions={actions}
    >
      {children}
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
          text: actions === undefined ? words.noFilesText : words.noFilesWriterText,
        }}
      />
    </Card>
  );
}
