import type { Output } from '@corral/contract';
import { Link } from '@tanstack/react-router';
import { Card } from '../../../ui/layout/Card.tsx';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { ListTitle } from './Facts.tsx';
import { dashboardCopy as words } from './copy.ts';

/** A type of jobs of which some failed within a day. */
export type Failures = Output<'jobs_SummarizeFailures'>['types'][number];

/** The jobs that failed within a day, by type. */
export function FailuresCard({ types }: { types: readonly Failures[] }) {
  const total = types.reduce((sum, { failures }) => sum + failures, 0);
  return (
    <Card
      isFlush
      title={
        <ListTitle link={<Link to="/admin/jobs" search={{ status: 'Failed' }} />}>{words.failures}</ListTitle>
      }
      actions={<span className="tabular text-small text-ink2">{words.failuresText(total)}</span>}
    >
      <ul className="divide-y divide-line">
        {types.map(({ job, failures, failedAt, error }) => (
          <li
            key={job}
            className="flex min-h-9.5 flex-wrap items-center gap-x-4 gap-y-0.5 px-4.5 py-2 text-body"
          >
            <Link
              to="/admin/jobs"
              search={{ status: 'Failed', q: job }}
              className="font-mono text-mono wrap-anywhere hover:underline"
            >
              {job}
            </Link>
            <span className="min-w-0 flex-1 truncate text-ink2" title={error}>
              {error ?? words.noError}
            </span>
            <span className="tabular">{words.times(failures)}</span>
            <span className="text-ink2">
              <RelativeTime at={failedAt} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
