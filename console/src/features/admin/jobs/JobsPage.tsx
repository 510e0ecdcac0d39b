import type { Id } from '@corral/contract';
import { Timer } from 'lucide-react';
import { useMemo } from 'react';
import { useRun } from '../../../data/action-mutation.ts';
import { confirm } from '../../../parts/confirm.ts';
import { ResourceListPage } from '../../../parts/ResourceListPage.tsx';
import { searchedRows } from '../../../parts/searched-rows.ts';
import { messageOf } from '../../../ui/form/message-of.ts';
import { showToast } from '../../../ui/overlay/toast.ts';
import { jobsCopy as words } from './copy.ts';
import { jobColumns } from './job-columns.tsx';
import { cancelJob, type Job, jobsQuery, retryJob } from './jobs.ts';

/** The background jobs of the instance. */
export function JobsPage() {
  const run = useRun();
  const columns = useMemo(() => {
    function retry({ jobId, job }: Job): Promise<unknown> {
      return run(retryJob, { jobId: jobId as Id<'job'> }).then(
        () => showToast(words.retried(job), { tone: 'ok' }),
        (error: unknown) => showToast(words.notRetried(job), { tone: 'danger', text: messageOf(error) }),
      );
    }
    function cancel({ jobId, job }: Job): void {
      void confirm({
        title: words.cancelTitle(job),
        text: words.cancelText,
        verb: words.cancelVerb,
        action: () => run(cancelJob, { jobId: jobId as Id<'job'> }),
        done: words.cancelled(job),
      });
    }
    return jobColumns({ retry, cancel });
  }, [run]);
  return (
    <ResourceListPage
      meta={() => words.text}
      source={searchedRows(jobsQuery, {
        rowsOf: ({ jobs }) => jobs,
        keyOf: ({ jobId }) => jobId,
        orders: ['id', 'timestamp', 'type', 'queued', 'status', 'attempts'],
      })}
      columns={columns}
      rowKey={({ jobId }) => jobId}
      rowName={({ job }) => job}
      filterLabel={words.filter}
      csvName={words.csvName}
      empty={{ icon: <Timer size={20} aria-hidden />, title: words.emptyTitle, text: words.emptyText }}
    />
  );
}
