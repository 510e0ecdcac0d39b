import { createFileRoute } from '@tanstack/react-router';
import { DashboardPage } from '../../../features/admin/dashboard/DashboardPage.tsx';
import { nodesQuery, statisticsQuery } from '../../../features/admin/dashboard/statistics.ts';

export const Route = createFileRoute('/_guard/admin/dashboard')({
  loader: ({ context: { queryClient } }) =>
    Promise.all([queryClient.ensureQueryData(statisticsQuery()), queryClient.ensureQueryData(nodesQuery())]),
  component: DashboardPage,
});
