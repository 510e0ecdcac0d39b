import { createFileRoute, Outlet } from '@tanstack/react-router';
import { terms } from '../../copy/terms.ts';
import { ScopeNavigation } from '../../shell/ScopeNavigation.tsx';

export const Route = createFileRoute('/_guard/settings')({ component: SettingsLayout });

function SettingsLayout() {
  return (
    <>
      <ScopeNavigation scope="account" label={terms.settings} />
      <Outlet />
    </>
  );
}
