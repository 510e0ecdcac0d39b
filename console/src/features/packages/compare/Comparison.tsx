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
import { comparedFileColumns, comparedKeyColumns } from './comparison-columns.tsx';

const words = packagesCopy.compare;
type Differences = Output<'repositories_CompareVersions'>;

/** The differences between two versions: files, bytes to fetch, metadata. */
export function Comparison({
  from,
  to,
  showsAll,
  onShowAll,
}: {
  from: Id<'packageVersion'>;
  to: Id<'packageVersion'>;
  showsAll: boolean;
  onShowAll: (isAll: boolean) => void;
}) {
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
        <ComparisonResult {...{ data, showsAll, onShowAll }} />
      )}
    </ErrorBoundary>
  );
}

function ComparisonResult({
  data,
  showsAll,
  onShowAll,
}: {
  data: Differences;
  showsAll: boolean;
  onShowAll: (isAll: boolean) => void;
}) {
  const fileColumns = useMemo(() => comparedFileColumns(), []);
  const keyColumns = useMemo(() => comparedKeyColumns(), []);
  const changed = useMemo(
    () => data.files.filter(({ change, hasOtherMetadata }) => change !== 'Same' || hasOtherMetadata),
    [data.files],
  );
  const isSame = changed.length === 0 && data.metadata.length === 0;
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-body text-ink2">{isSame ? words.same : fetchText(data)}</p>
        <FilterChips
          label={words.show}
          value={showsAll ? 'all' : 'changes'}
          onValueChange={(value) => onShowAll(value === 'all')}
          chips={[
            { value: 'changes', label: words.onlyChanges },
            { value: 'all', label: words.all },
          ]}
        />
      </div>
      {(showsAll || changed.length > 0) && (
        <DataTable
          label={packagesCopy.files.title}
          columns={fileColumns}
          rows={showsAll ? data.files : changed}
          rowKey={({ filename }) => filename}
          empty={<p className="text-body text-ink3">{words.noFiles}</p>}
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

function fetchText({ bytesToFetch, totalBytes }: Differences): string {
  if (bytesToFetch === 0) return words.nothingToFetch;
  return words.fetch(formatSize(bytesToFetch), formatSize(totalBytes));
}
