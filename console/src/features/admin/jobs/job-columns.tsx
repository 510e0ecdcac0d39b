import type { Id } from '@corral/contract';
import { RotateCcw, X } from 'lucide-react';
import type { Run } from '../../../data/action-mutation.ts';
import { askFirst } from '../../../parts/ask-first.ts';
import { orToast } from '../../../parts/or-toast.ts';
import { JobBadge } from '../../../ui/badge/JobBadge.tsx';
import { formatDuration } from '../../../ui/time/format-duration.ts';
import { toMs } from '../../../ui/time/format-time.ts';
import { showToast } from '../../../ui/overlay/toast.ts';
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
import { cancelJob, type Job, retryJob } from './jobs.ts';

/** The columns of the background jobs. */
export function jobColumns(run: Run): DataColumn<Job>[] {
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
      cell: ({ status, error, remaining, examined, ...run }) => (
        <span className="flex flex-col items-start gap-1">
          <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <JobBadge status={status} />
            <span className="tabular text-small text-ink2">{runText(run)}</span>
          </span>
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
      width: '8rem',
      of: (job) => actionsOf(run, job),
    }),
  ];
}

function queuedText({ queued, status }: Job): string {
  if (queued) return words.queued;
  return status === 'Pending' ? words.running : '–';
}

/** How long its last attempt took, and how many others it stands for. */
function runText({
  startedAt,
  finishedAt,
  runs = 1,
}: Pick<Job, 'startedAt' | 'finishedAt' | 'runs'>): string {
  const tookMs =
    startedAt === undefined || finishedAt === undefined ? undefined : toMs(finishedAt) - toMs(startedAt);
  const took = tookMs === undefined || tookMs < 0 ? [] : [words.took(durationText(tookMs))];
  return [...took, ...(runs > 1 ? [words.runs(runs)] : [])].join(' · ');
}

const durationText = (ms: number): string =>
  ms < 1000 ? words.milliseconds(Math.round(ms)) : formatDuration(ms / 1000);

function actionsOf(run: Run, { jobId, job, status }: Job): RowAction[] {
  const input = { jobId: jobId as Id<'job'> };
  if (status === 'Pending')
    return [
      askFirst({
        label: words.cancel,
        icon: <X aria-hidden />,
        title: words.cancelTitle(job),
        text: words.cancelText,
        verb: words.cancelVerb,
        action: () => run(cancelJob, input),
        done: words.cancelled(job),
      }),
    ];
  if (status !== 'Failed' && status !== 'Expired') return [];
  const retried = () => showToast(words.retried(job), { tone: 'ok' });
  return [
    {
      label: words.retry,
      name: words.retryOf(job),
      icon: <RotateCcw aria-hidden />,
      onSelect: () => orToast(words.notRetried(job), run(retryJob, input).then(retried)),
    },
  ];
}
