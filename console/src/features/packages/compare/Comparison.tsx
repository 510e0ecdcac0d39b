import type { Id, Output } from '@corral/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ErrorBoundary } from '../../../parts/ErrorBoundary.tsx';
import { FilterChips } from '../../../ui/form/FilterChips.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import { formatSize } from '../../../ui/text/format-size.ts';
import { packagesCopy } from '../copy.ts';
import { comparisonQuery } from '../queries.ts';
import { changeLooks, fileChanges } from './change-looks.ts';
import { comparedFileColumns, comparedKeyColumns } from './comparison-columns.tsx';
import { ComparisonPicture } from './ComparisonPicture.tsx';
import type { ShownFiles } from './shown-choice.ts';
import { filesByChoice, shownOf } from './shown-files.ts';

const words = packagesCopy.compare;
type Differences = Output<'repositories_CompareVersions'>;

/** Which files show, and how others are shown. */
export interface FileChoice {
  readonly shown: ShownFiles;
  readonly onShow: (shown: ShownFiles) => void;
  /** The address of a choice. */
  readonly hrefOf: (shown: ShownFiles) => string;
}

/** The differences between two versions: bytes to fetch, files, metadata. */
export function Comparison({
  from,
  to,
  ...choice
}: FileChoice & { from: Id<'packageVersion'>; to: Id<'packageVersion'> }) {
  const { data, error, refetch } = useQuery({
    ...comparisonQuery(from, to),
    placeholderData: keepPreviousData,
  });
  return (
    <ErrorBoundary error={data === undefined ? error : undefined} onRetry={() => void refetch()}>
      {data === undefined ? (
        <p role="status" className="text-body text-ink3">
          {words.loading}
        </p>
      ) : (
        <ComparisonResult data={data} {...choice} />
      )}
    </ErrorBoundary>
  );
}

function ComparisonResult({ data, shown, onShow, hrefOf }: FileChoice & { data: Differences }) {
  const keyColumns = useMemo(() => comparedKeyColumns(), []);
  const fileColumns = useMemo(() => comparedFileColumns(largestOf(data)), [data]);
  const files = useMemo(() => filesByChoice(data.files), [data.files]);
  const isSame = files.changes.length === 0 && data.metadata.length === 0;
  return (
    <div className="flex flex-col gap-5">
      <ComparisonPicture
        data={data}
        sentence={isSame ? words.same : fetchText(data)}
        hrefOf={(change) => hrefOf(shownOf(change))}
        onShow={(change) => onShow(shownOf(change))}
      />
      <FilterChips<ShownFiles>
        label={words.show}
        value={shown}
        onValueChange={onShow}
        chips={[
          { value: 'changes', label: words.onlyChanges, count: files.changes.length },
          ...fileChanges.map((change) => {
            const { Icon } = changeLooks[change];
            const value = shownOf(change);
            return {
              value,
              label: words.changes[change],
              count: files[value].length,
              icon: <Icon size={14} aria-hidden />,
            };
          }),
          { value: 'all', label: words.all, count: files.all.length },
        ]}
      />
      {(shown !== 'changes' || files.changes.length > 0) && (
        <DataTable
          label={packagesCopy.files.title}
          columns={fileColumns}
          rows={files[shown]}
          rowKey={({ filename }) => filename}
          empty={
            <p className="text-body text-ink3">{files.all.length === 0 ? words.noFiles : words.noneOfKind}</p>
          }
        />
      )}
      {data.metadata.length > 0 && (
        <Card isFlush title={words.metadata}>
          <DataTable
            isFlush
            label={words.metadata}
            columns={keyColumns}
            rows={data.metadata}
            rowKey={({ key }) => key}
            empty={null}
          />
        </Card>
      )}
    </div>
  );
}

/** The size of the largest file. */
const largestOf = ({ files }: Differences): number =>
  files.reduce((largest, { from, to }) => Math.max(largest, from?.size ?? 0, to?.size ?? 0), 0);

function fetchText({ bytesToFetch, totalBytes }: Differences): string {
  if (bytesToFetch === 0) return words.nothingToFetch;
  return words.fetch(formatSize(bytesToFetch), formatSize(totalBytes));
}
