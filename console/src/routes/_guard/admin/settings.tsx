import { createFileRoute } from '@tanstack/react-router';
import { auditSealsQuery, providerQuery, settingsQuery } from '../../../features/admin/settings/settings.ts';
import { SettingsPage } from '../../../features/admin/settings/SettingsPage.tsx';
import { asSearch, searchText } from '../../../parts/search-values.ts';

export const Route = createFileRoute('/_guard/admin/settings')({
  // The word with which the hub leads back from the provider.
  validateSearch: (search: Record<string, unknown>): { provider?: string } =>
    asSearch({ provider: searchText(search['provider']) }),
  loader: ({ context: { queryClient } }) =>
    Promise.all([
      queryClient.ensureQueryData(settingsQuery()),
      queryClient.ensureQueryData(providerQuery()),
      queryClient.ensureQueryData(auditSealsQuery()),
    ]),
  component: Settings,
});

function Settings() {
  return <SettingsPage answer={Route.useSearch().provider} />;
}
