import { createFileRoute } from '@tanstack/react-router';
import { clusterQuery } from '../../../data/queries-account.ts';
import { ClusterPage } from '../../../features/admin/cluster/ClusterPage.tsx';
import { parseTableSearch } from '../../../parts/table-search.ts';

export const Route = createFileRoute('/_guard/admin/cluster')({
  validateSearch: parseTableSearch,
  loader: ({ context }) => context.queryClient.ensureQueryData(clusterQuery()),
  component: ClusterPage,
});
