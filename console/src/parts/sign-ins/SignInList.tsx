import type { Id } from '@corral/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { actionPageQuery } from '../../data/action-query.ts';
import { everyMinute } from '../../data/intervals.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { ErrorBoundary } from '../ErrorBoundary.tsx';
import { LoadMore } from '../LoadMore.tsx';
import { useLast } from '../use-last.ts';
import { signInsCopy as words } from './copy.ts';
import { signInColumns } from './sign-in-columns.tsx';

/** Those that are shown first, and those that are asked for then; the hub gives 500 at most. */
const limits = [10, 50, 500];

/** The newest sign-ins of a user, also those that failed. */
export function SignInList({ userId }: { userId: Id<'user'> }) {
  const [limit, setLimit] = useState(limits[0] ?? 0);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...actionPageQuery('users_QuerySignIns', { userId, limit }, everyMinute),
    placeholderData: keepPreviousData,
  });
  // Those that are known stay while more are loaded, and when that fails.
  const known = useLast(data);
  const next = limits.find((one) => one > limit);
  const hasMore = isPlaceholderData || (known?.next !== undefined && next !== undefined);
  return (
    <ErrorBoundary isFlush error={data === undefined ? error : undefined} onRetry={() => void refetch()}>
      {known === undefined ? (
        <p role="status" className="px-4.5 py-3.5 text-body text-ink3">
          {words.loading}
        </p>
      ) : (
        <>
          <DataTable
            isFlush
            label={words.title}
            columns={signInColumns}
            rows={known.signIns}
            rowKey={({ eventId }) => eventId}
            empty={<p className="px-4.5 py-3.5 text-body text-ink3">{words.empty}</p>}
          />
          {hasMore && (
            <LoadMore
              label={words.more}
              isLoading={isPlaceholderData}
              onLoad={() => setLimit(next ?? limit)}
            />
          )}
        </>
      )}
    </ErrorBoundary>
  );
}
