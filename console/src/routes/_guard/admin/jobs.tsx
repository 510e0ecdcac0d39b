import { createFileRoute } from '@tanstack/react-router';
import { jobsViewOf, parseJobsSearch } from '../../../features/admin/jobs/jobs-search.ts';
import { jobsQuery } from '../../../features/admin/jobs/jobs.ts';
import { JobsPage } from '../../../features/admin/jobs/JobsPage.tsx';

export const Route = createFileRoute('/_guard/admin/jobs')({
  validateSearch: parseJobsSearch,
  loaderDeps: ({ search }) => jobsViewOf(search),
  loader: ({ context, deps }) => context.queryClient.ensureQueryData(jobsQuery(deps)),
  component: JobsPage,
});
