import { createFileRoute, Link, Outlet } from '@tanstack/react-router';
import { MonitorSmartphone, ShieldCheck, UserRound } from 'lucide-react';
import { SectionNavigation } from '../../components/SectionNavigation.tsx';
import { enAccount } from '../../copy/en-account.ts';
import { SidebarLink } from '../../ui/layout/SidebarLink.tsx';

export const Route = createFileRoute('/_guard/settings')({ component: SettingsLayout });

function SettingsLayout() {
  return (
    <>
      <SectionNavigation label={enAccount.settings.navigation} groups={[links]} />
      <Outlet />
    </>
  );
}

const links = (
  <>
    <SidebarLink icon={<UserRound size={18} aria-hidden />} render={<Link to="/settings/profile" />}>
      {enAccount.settings.profile}
    </SidebarLink>
    <SidebarLink icon={<ShieldCheck size={18} aria-hidden />} render={<Link to="/settings/security" />}>
      {enAccount.settings.security}
    </SidebarLink>
    <SidebarLink icon={<MonitorSmartphone size={18} aria-hidden />} render={<Link to="/settings/sessions" />}>
      {enAccount.settings.sessions}
    </SidebarLink>
  </>
);
