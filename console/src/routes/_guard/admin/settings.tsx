import { createFileRoute } from '@tanstack/react-router';
import { auditSealsQuery, settingsQuery } from '../../../features/admin/settings/settings.ts';
import { SettingsPage } from '../../../features/admin/settings/SettingsPage.tsx';

export const Route = createFileRoute('/_guard/admin/settings')({
  loader: ({ context: { queryClient } }) =>
    Promise.all([
      queryClient.ensureQueryData(settingsQuery()),
      queryClient.ensureQueryData(auditSealsQuery()),
    ]),
  component: SettingsPage,
});
