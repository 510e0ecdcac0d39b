import { createFileRoute, Link, Outlet } from '@tanstack/react-router';
import { MonitorSmartphone, ShieldCheck, UserRound } from 'lucide-react';
import { terms } from '../../copy/terms.ts';
import { SectionNavigation } from '../../shell/SectionNavigation.tsx';
import { SidebarLink } from '../../ui/layout/SidebarLink.tsx';

export const Route = createFileRoute('/_guard/settings')({ component: SettingsLayout });

function SettingsLayout() {
  return (
    <>
      <SectionNavigation label={terms.sections.settings} groups={[links]} />
      <Outlet />
    </>
  );
}

const links = (
  <>
    <SidebarLink icon={<UserRound size={18} aria-hidden />} render={<Link to="/settings/profile" />}>
      {terms.sections.profile}
    </SidebarLink>
    <SidebarLink icon={<ShieldCheck size={18} aria-hidden />} render={<Link to="/settings/security" />}>
      {terms.sections.security}
    </SidebarLink>
    <SidebarLink icon={<MonitorSmartphone size={18} aria-hidden />} render={<Link to="/settings/sessions" />}>
      {terms.sections.sessions}
    </SidebarLink>
  </>
);
