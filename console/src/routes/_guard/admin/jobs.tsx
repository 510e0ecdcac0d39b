import { createFileRoute } from '@tanstack/react-router';
import { jobsQuery } from '../../../features/admin/jobs/jobs.ts';
import { JobsPage } from '../../../features/admin/jobs/JobsPage.tsx';
import { parseTableSearch } from '../../../parts/table-search.ts';

export const Route = createFileRoute('/_guard/admin/jobs')({
  validateSearch: parseTableSearch,
  loader: ({ context }) => context.queryClient.ensureQueryData(jobsQuery()),
  component: JobsPage,
});
