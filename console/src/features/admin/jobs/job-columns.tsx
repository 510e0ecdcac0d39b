import { RotateCcw, X } from 'lucide-react';
import { terms } from '../../../copy/terms.ts';
import { JobBadge } from '../../../ui/badge/JobBadge.tsx';
import {
  actionsColumn,
  countColumn,
  idColumn,
  nameColumn,
  type RowAction,
  timeColumn,
} from '../../../ui/table/columns.tsx';
import type { DataColumn } from '../../../ui/table/data-table.ts';
import { jobsCopy as words } from './copy.ts';
import type { Job } from './jobs.ts';

interface JobActions {
  readonly retry: (job: Job) => Promise<unknown>;
  readonly cancel: (job: Job) => void;
}

/** The columns of the background jobs. */
export function jobColumns({ retry, cancel }: JobActions): DataColumn<Job>[] {
  return [
    idColumn({
      id: 'id',
      header: words.columns.id,
      width: '9rem',
      of: ({ jobId }) => jobId,
      what: words.jobId,
      length: 10,
    }),
    timeColumn({
      id: 'timestamp',
      header: words.columns.timestamp,
      width: '8rem',
      of: ({ createdAt }) => createdAt,
    }),
    nameColumn({ id: 'type', header: words.columns.type, of: ({ job }) => job }),
    {
      id: 'queued',
      header: words.columns.queued,
      width: '7rem',
      value: queuedText,
      cell: (job) => <span className="text-ink2">{queuedText(job)}</span>,
    },
    {
      id: 'status',
      header: words.columns.status,
      value: ({ status }) => status,
      filterText: ({ error = '' }) => error,
      cell: ({ status, error, remaining, examined }) => (
        <span className="flex flex-col items-start gap-1">
          <JobBadge status={status} />
          {remaining !== undefined && remaining > 0 && (
            <span className="text-small text-ink2">{words.remaining(remaining)}</span>
          )}
          {examined !== undefined && <span className="text-small text-ink2">{words.examined(examined)}</span>}
          {error !== undefined && (
            <span className="max-w-96 text-small wrap-anywhere text-ink2">{error}</span>
          )}
        </span>
      ),
    },
    countColumn({
      id: 'attempts',
      header: words.columns.attempts,
      width: '6rem',
      of: ({ attempts }) => attempts,
    }),
    actionsColumn({
      id: 'actions',
      header: terms.actions,
      width: '8rem',
      of: (job) => actionsOf(job, { retry, cancel }),
    }),
  ];
}

function queuedText({ queued, status }: Job): string {
  if (queued) return words.queued;
  return status === 'Pending' ? words.running : '–';
}

function actionsOf(job: Job, { retry, cancel }: JobActions): RowAction[] {
  if (job.status === 'Pending')
    return [
      {
        label: words.cancel,
        name: words.cancelTitle(job.job),
        icon: <X aria-hidden />,
        onSelect: () => cancel(job),
      },
    ];
  if (job.status !== 'Failed' && job.status !== 'Expired') return [];
  return [
    {
      label: words.retry,
      name: words.retryOf(job.job),
      icon: <RotateCcw aria-hidden />,
      onSelect: () => retry(job),
    },
  ];
}
