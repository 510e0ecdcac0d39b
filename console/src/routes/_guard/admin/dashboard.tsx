import { createFileRoute } from '@tanstack/react-router';
import { clusterQuery } from '../../../data/queries-account.ts';
import { DashboardPage } from '../../../features/admin/dashboard/DashboardPage.tsx';
import { statisticsQuery } from '../../../features/admin/dashboard/statistics.ts';

export const Route = createFileRoute('/_guard/admin/dashboard')({
  loader: ({ context: { queryClient } }) =>
    Promise.all([
      queryClient.ensureQueryData(statisticsQuery()),
      queryClient.ensureQueryData(clusterQuery()),
    ]),
  component: DashboardPage,
});
