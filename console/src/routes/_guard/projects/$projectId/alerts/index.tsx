import { createFileRoute } from '@tanstack/react-router';
import { useMemo } from 'react';
import { AlertsPage } from '../../../../../features/alerts/AlertsPage.tsx';
import { parseAlertsSearch } from '../../../../../features/alerts/alerts-search.ts';
import { alertMutesQuery, alertRulesQuery } from '../../../../../parts/alerts/alerts.ts';

export const Route = createFileRoute('/_guard/projects/$projectId/alerts/')({
  validateSearch: parseAlertsSearch,
  loaderDeps: ({ search: { tab } }) => ({ tab }),
  loader: ({ context: { queryClient }, params: { projectId }, deps: { tab } }) =>
    tab === 'muted'
      ? queryClient.ensureQueryData(alertMutesQuery({ projectId }))
      : queryClient.ensureQueryData(alertRulesQuery({ projectId })),
  component: Alerts,
});

function Alerts() {
  const { projectId } = Route.useParams();
  const place = useMemo(() => ({ projectId }), [projectId]);
  return <AlertsPage key={projectId} {...{ place }} />;
}
