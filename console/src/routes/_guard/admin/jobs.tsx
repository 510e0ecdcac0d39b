import { createFileRoute } from '@tanstack/react-router';
import { parseJobsSearch } from '../../../features/admin/jobs/jobs-search.ts';
import { jobsQuery } from '../../../features/admin/jobs/jobs.ts';
import { JobsPage } from '../../../features/admin/jobs/JobsPage.tsx';
import { omitUndefined } from '../../../parts/search-values.ts';

export const Route = createFileRoute('/_guard/admin/jobs')({
  validateSearch: parseJobsSearch,
  loaderDeps: ({ search: { status } }) => ({ status }),
  loader: ({ context, deps }) => context.queryClient.ensureQueryData(jobsQuery(omitUndefined(deps))),
  component: JobsPage,
});
