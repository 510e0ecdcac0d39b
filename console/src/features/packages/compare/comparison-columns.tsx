import type { Output } from '@corral/contract';
import { Equal, FileDiff, FileMinus, FilePlus } from 'lucide-react';
import { assetCopy } from '../../../parts/asset/copy.ts';
import { Badge, type BadgeTone } from '../../../ui/badge/Badge.tsx';
import type { DataColumn } from '../../../ui/table/data-table.ts';
import { ByteCount } from '../../../ui/text/ByteCount.tsx';
import { IdTag } from '../../../ui/text/IdTag.tsx';
import { jsonText } from '../../../ui/text/json-text.ts';
import { JsonView } from '../../../ui/text/JsonView.tsx';
import { packagesCopy } from '../copy.ts';
import { Dash } from '../../../ui/text/Dash.tsx';

type Differences = Output<'repositories_CompareVersions'>;
type ComparedFile = Differences['files'][number];
type ComparedKey = Differences['metadata'][number];

const words = packagesCopy.compare;

const changes = {
  Added: ['ok', FilePlus],
  Removed: ['danger', FileMinus],
  Changed: ['warn', FileDiff],
  Same: ['mute', Equal],
} as const satisfies Record<ComparedFile['change'], readonly [BadgeTone, unknown]>;

/** The columns of the files of two versions. */
export const comparedFileColumns = (): readonly DataColumn<ComparedFile>[] => [
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
    cell: ({ from }) => <Side file={from} />,
    phoneCell: ({ from }) => from && <Side file={from} />,
  },
  {
    id: 'after',
    header: words.columns.after,
    value: ({ to }) => to?.size,
    cell: ({ to }) => <Side file={to} />,
    phoneCell: ({ to }) => to && <Side file={to} />,
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
  const [tone, Icon] = changes[change];
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
function Side({ file }: { file: ComparedFile['from'] }) {
  if (file === undefined) return <Dash />;
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <ByteCount bytes={file.size} />
      <IdTag value={file.digest} what={assetCopy.digest} length={15} />
    </span>
  );
}

function Value({ value }: { value: ComparedKey['from'] }) {
  if (value === undefined) return <span className="text-ink3">{words.absent}</span>;
  return <JsonView value={value} />;
}
