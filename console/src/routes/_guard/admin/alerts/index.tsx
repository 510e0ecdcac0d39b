import { createFileRoute } from '@tanstack/react-router';
import { AlertsPage } from '../../../../features/alerts/AlertsPage.tsx';
import { parseAlertsSearch } from '../../../../features/alerts/alerts-search.ts';
import { alertMutesQuery, alertRulesQuery, theInstance } from '../../../../parts/alerts/alerts.ts';

export const Route = createFileRoute('/_guard/admin/alerts/')({
  validateSearch: parseAlertsSearch,
  loaderDeps: ({ search: { tab } }) => ({ tab }),
  loader: ({ context: { queryClient }, deps: { tab } }) =>
    tab === 'muted'
      ? queryClient.ensureQueryData(alertMutesQuery(theInstance))
      : queryClient.ensureQueryData(alertRulesQuery(theInstance)),
  component: () => <AlertsPage place={theInstance} />,
});
