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
import { fileColumns } from './file-columns.tsx';
import { DropArea } from './uploads/DropArea.tsx';
import { UnfinishedNotice } from './uploads/UnfinishedNotice.tsx';
import type { FileOwner, OwnedFile } from './uploads/upload-file.ts';
import { UploadButton } from './uploads/UploadButton.tsx';
import { UploadList } from './uploads/UploadList.tsx';
import { type Uploads, useUploads } from './uploads/uploads.ts';

const words = packagesCopy.files;

interface FilesProps {
  owner: FileOwner;
  files: readonly OwnedFile[];
  onOpen: (filename: string) => void;
  /** What is to be said about the uploads, above them. */
  notice?: ((uploads: Uploads) => ReactNode) | undefined;
}

/** The files of a version or package; whoever may write can add some. */
export function Files(props: FilesProps) {
  const { canWrite } = useLoadedQuery(repositoryQuery(props.owner.repositoryId)).data;
  if (!canWrite) return <FileTable {...props} emptyText={words.emptyText[props.owner.kind]} />;
  return <WritableFiles key={props.owner.id} {...props} />;
}

function WritableFiles(props: FilesProps) {
  const { owner, files, notice } = props;
  const uploads = useUploads(owner, files);
  const { queue, items, unfinished, forget } = uploads;
  const add = (files: readonly File[]) => queue.add(files, owner);
  return (
    <DropArea onFiles={add}>
      <FileTable
        {...props}
        actions={<UploadButton onFiles={add} />}
        isBegun={items.length > 0}
        emptyText={`${words.emptyText[owner.kind]} ${words.emptyWriterText[owner.kind]}`}
      >
        {notice?.(uploads)}
        <UnfinishedNotice filenames={unfinished} onForget={forget} />
        <UploadList {...{ queue, items }} ownerKind={owner.kind} />
      </FileTable>
    </DropArea>
  );
}

function FileTable({
  files,
  onOpen,
  actions,
  emptyText,
  isBegun = false,
  children,
}: Omit<FilesProps, 'owner' | 'notice'> & {
  actions?: ReactNode;
  emptyText: string;
  /** Whether there are uploads, so that nobody has to be told how to begin. */
  isBegun?: boolean;
  children?: ReactNode;
}) {
  const download = useDownload();
  const columns = useMemo(
    () => fileColumns(files, { download, open: onOpen }),
    // `onOpen`: unstable identity, same behaviour.
    // oxlint-disable-next-line react/exhaustive-deps
    [files, download],
  );
  const search = useTableSearch(columns);
  const total = files.reduce((sum, { size }) => sum + size, 0);
  return (
    <Card
      isFlush
      title={words.title}
      meta={files.length > 0 && words.total(files.length, formatSize(total))}
      actions={actions}
    >
      {children}
      {(files.length > 0 || !isBegun) && (
        <ResourceTable
          isFlush
          label={words.title}
          columns={columns}
          rows={{ rows: files }}
          search={search}
          rowKey={({ filename }) => filename}
          filterLabel={words.filter}
          csvName={words.csvName}
          onOpen={({ filename }) => onOpen(filename)}
          empty={{ icon: <FileBox size={20} aria-hidden />, title: words.emptyTitle, text: emptyText }}
        />
      )}
    </Card>
  );
}
