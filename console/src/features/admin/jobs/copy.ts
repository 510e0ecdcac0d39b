import { catalogue } from '../../../copy/catalogue.ts';

/** The texts of the list of background jobs. */
export const jobsCopy = catalogue('jobs', {
  text: 'What the hub does in the background. Jobs are kept for a week.',
  columns: {
    id: 'ID',
    timestamp: 'Timestamp',
    type: 'Type',
    queued: 'Queued',
    status: 'Status',
    attempts: 'Attempts',
  },
  jobId: 'job ID',
  queued: 'Queued',
  running: 'Running',
  remaining: (left: number) => `${left.toLocaleString('en')} left`,
  examined: (objects: number) =>
    `${objects.toLocaleString('en')} ${objects === 1 ? 'object' : 'objects'} examined`,
  filter: 'Filter jobs',
  latest: 'Latest',
  statuses: 'All',
  took: (duration: string) => `took ${duration}`,
  milliseconds: (n: number) => `${n} ms`,
  runs: (n: number) => `${n.toLocaleString('en')} times`,
  csvName: 'jobs',
  emptyTitle: 'No jobs',
  emptyText: 'The hub adds the first ones within an hour.',
  retry: 'Retry',
  retryOf: (job: string) => `Retry ${job}`,
  retried: (job: string) => `${job} is queued again`,
  notRetried: (job: string) => `${job} was not queued`,
  cancel: 'Cancel',
  cancelTitle: (job: string) => `Cancel ${job}`,
  cancelText:
    'No further attempt begins. A running attempt may still finish what it has begun; its outcome is ignored. The next job of this type is added on schedule.',
  cancelVerb: 'Cancel job',
  cancelled: (job: string) => `${job} was cancelled`,
});
