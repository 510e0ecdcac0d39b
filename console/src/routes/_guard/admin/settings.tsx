import { createFileRoute } from '@tanstack/react-router';
import { settingsQuery } from '../../../features/admin/settings/settings.ts';
import { SettingsPage } from '../../../features/admin/settings/SettingsPage.tsx';

export const Route = createFileRoute('/_guard/admin/settings')({
  loader: ({ context }) => context.queryClient.ensureQueryData(settingsQuery()),
  component: SettingsPage,
});
