import type { Output } from '@corral/contract';
import { assetCopy } from '../../../parts/asset/copy.ts';
import { Badge } from '../../../ui/badge/Badge.tsx';
import type { DataColumn } from '../../../ui/table/data-table.ts';
import { ByteCount } from '../../../ui/text/ByteCount.tsx';
import { IdTag } from '../../../ui/text/IdTag.tsx';
import { jsonText } from '../../../ui/text/json-text.ts';
import { JsonView } from '../../../ui/text/JsonView.tsx';
import { packagesCopy } from '../copy.ts';
import { changeLooks } from './change-looks.ts';
import type { ComparedFile } from './compared-bytes.ts';
import { Dash } from '../../../ui/text/Dash.tsx';

type Differences = Output<'repositories_CompareVersions'>;
type ComparedKey = Differences['metadata'][number];

const words = packagesCopy.compare;

/** The columns of the files of two versions; each size has a bar beside the `largest`. */
export const comparedFileColumns = (largest: number): readonly DataColumn<ComparedFile>[] => [
  {
    id: 'filename',
    header: words.columns.filename,
    value: ({ filename }) => filename,
    cell: ({ filename }) => (
      <bdi className="font-head wrap-anywhere whitespace-pre-wrap text-ink">{filename}</bdi>
    ),
    onPhone: 'title',
  },
  {
    id: 'change',
    header: words.columns.change,
    value: ({ change }) => change,
    cell: (file) => <Change file={file} />,
    onPhone: 'badge',
  },
  {
    id: 'before',
    header: words.columns.before,
    value: ({ from }) => from?.size,
    cell: ({ from, change }) => <Side file={from} {...{ change, largest }} />,
    phoneCell: ({ from, change }) => from && <Side file={from} {...{ change, largest }} />,
  },
  {
    id: 'after',
    header: words.columns.after,
    value: ({ to }) => to?.size,
    cell: ({ to, change }) => <Side file={to} {...{ change, largest }} />,
    phoneCell: ({ to, change }) => to && <Side file={to} {...{ change, largest }} />,
  },
];

/** The columns of the metadata that differ. */
export const comparedKeyColumns = (): readonly DataColumn<ComparedKey>[] => [
  {
    id: 'key',
    header: words.key,
    value: ({ key }) => key,
    cell: ({ key }) => (
      <span dir="ltr" className="wrap-anywhere">
        {key}
      </span>
    ),
    onPhone: 'title',
  },
  {
    id: 'before',
    header: words.columns.before,
    value: ({ from }) => jsonText(from),
    cell: ({ from }) => <Value value={from} />,
  },
  {
    id: 'after',
    header: words.columns.after,
    value: ({ to }) => jsonText(to),
    cell: ({ to }) => <Value value={to} />,
  },
];

function Change({ file: { change, hasOtherMetadata } }: { file: ComparedFile }) {
  const { tone, Icon } = changeLooks[change];
  return (
    <span className="flex flex-wrap gap-1.5">
      <Badge tone={tone} icon={<Icon size={13} aria-hidden />}>
        {words.changes[change]}
      </Badge>
      {hasOtherMetadata && <Badge tone="outline">{words.otherMetadata}</Badge>}
    </span>
  );
}

/** The size and the digest of a file in one of the versions. */
function Side({
  file,
  change,
  largest,
}: {
  file: ComparedFile['from'];
  change: ComparedFile['change'];
  largest: number;
}) {
  if (file === undefined) return <Dash />;
  return (
    <span className="inline-flex max-w-full flex-col gap-1.5">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <ByteCount bytes={file.size} />
        <IdTag value={file.digest} what={assetCopy.digest} length={15} />
      </span>
      {file.size > 0 && (
        <span
          aria-hidden
          className={`bordered-when-forced block h-1.5 rounded-[1px] ${changeLooks[change].fill}`}
          style={{ width: `max(2px, ${(file.size / largest) * 100}%)` }}
        />
      )}
    </span>
  );
}

function Value({ value }: { value: ComparedKey['from'] }) {
  if (value === undefined) return <span className="text-ink3">{words.absent}</span>;
  return <JsonView value={value} />;
}
