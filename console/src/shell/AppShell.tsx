import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useRouter, useRouterState } from '@tanstack/react-router';
import { LogOut, SquareTerminal } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { shellCopy } from './copy.ts';
import { terms } from '../copy/terms.ts';
import { sessionQuery, userQuery } from '../data/queries-account.ts';
import { uiCopy } from '../ui/copy.ts';
import { Button } from '../ui/action/Button.tsx';
import { ThemeSwitch } from '../ui/action/ThemeSwitch.tsx';
import { WriteBlockContext } from '../ui/action/write-block.ts';
import { AppHeader } from '../ui/layout/AppHeader.tsx';
import { NavLink } from '../ui/layout/NavLink.tsx';
import { SidebarLink } from '../ui/layout/SidebarLink.tsx';
import { SidebarNav } from '../ui/layout/SidebarNav.tsx';
import { Drawer } from '../ui/overlay/Drawer.tsx';
import { AccountMenu } from './AccountMenu.tsx';
import { LazyAlertBell } from './bell/LazyAlertBell.tsx';
import { ConfiguredBanner } from './ConfiguredBanner.tsx';
import { HeaderHelpLinks } from './HeaderHelpLinks.tsx';
import { LiveStatusDot } from './LiveStatusDot.tsx';
import { preloadChunks } from './preload-chunks.ts';
import { OfflineBanner } from './offline/OfflineBanner.tsx';
import { useOfflineReason } from './offline/use-offline-reason.ts';
import { PaletteField } from './palette/PaletteField.tsx';
import { PrintFooter } from './PrintFooter.tsx';
import { ErrorBoundary } from '../parts/ErrorBoundary.tsx';
import { SectionLookupContext } from '../parts/page-section.ts';
import { sectionLookup, sectionOf, sectionsOf } from './section-paths.ts';
import { SectionSlotsContext } from './section-slots.ts';
import { ShellShortcuts } from './shortcuts/ShellShortcuts.tsx';
import { useLogOut } from './use-log-out.ts';

/** The layout of every page of a signed-in user: banner, header, sidebar slot, and the navigation drawer on phones. */
export function AppShell({ userId, children }: { userId: Id<'user'>; children: ReactNode }) {
  const [sidebar, setSidebar] = useState<HTMLElement | null>(null);
  const [drawer, setDrawer] = useState<HTMLElement | null>(null);
  const router = useRouter();
  const { live } = router.options.context;
  useEffect(() => live.watch(), [live]);
  // Its answer says after which change the stream begins; before it, the stream would have every read repeated.
  const isConfirmed = useQuery(sessionQuery).dataUpdatedAt > 0;
  useEffect(() => (isConfirmed ? live.follow() : undefined), [live, isConfirmed]);
  const isAdmin = useQuery(userQuery(userId)).data?.isAdmin === true;
  useEffect(() => preloadChunks(router, isAdmin), [router, isAdmin]);
  const slots = useMemo(() => ({ sidebar, drawer }), [sidebar, drawer]);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // The path on which the drawer is open: navigating closes it.
  const [drawerPath, setDrawerPath] = useState<string>();
  const offlineReason = useOfflineReason();
  return (
    <WriteBlockContext value={offlineReason}>
      <SectionLookupContext value={sectionLookup}>
        <SectionSlotsContext value={slots}>
          <ErrorBoundary>
            <ConfiguredBanner />
          </ErrorBoundary>
          {offlineReason !== undefined && <OfflineBanner />}
          <AppHeader
            home={(brand) => (
              <Link to="/projects" aria-label={shellCopy.account.home} className="rounded-control">
                {brand}
              </Link>
            )}
            navigation={
              <>
                {sectionsOf(['main'], false).map(({ id, label, link }) => (
                  <NavLink key={id} render={<Link to={link} />}>
                    {label()}
                  </NavLink>
                ))}
              </>
            }
            onOpenNavigation={() => setDrawerPath(path)}
          >
            <PaletteField />
            <LiveStatusDot />
            <PaletteField isButton />
            <LazyAlertBell />
            <HeaderHelpLinks />
            <AccountMenu userId={userId} />
          </AppHeader>
          <div className="flex items-start">
            <div ref={setSidebar} className="contents" />
            <main id="content" className="min-w-0 flex-1 max-lg:in-[body:has([data-toast])]:pb-32">
              {children}
            </main>
          </div>
          <PrintFooter />
          <Drawer
            open={drawerPath === path}
            onOpenChange={(isOpen) => setDrawerPath(isOpen ? path : undefined)}
            title={terms.product}
            side="start"
          >
            <div className="flex flex-col gap-4">
              <SidebarNav label={uiCopy.shell.mainNavigation} groups={[<MainLinks key="main" />]} />
              <div ref={setDrawer} className="contents" />
              <hr className="mx-1 border-line" />
              <SidebarNav label={terms.sections.help} groups={[<HelpLinks key="help" />]} />
              <div className="flex flex-wrap items-center justify-between gap-3">
                <ThemeSwitch />
                <LogOutButton />
              </div>
            </div>
          </Drawer>
          <ShellShortcuts userId={userId} />
        </SectionSlotsContext>
      </SectionLookupContext>
    </WriteBlockContext>
  );
}

function MainLinks() {
  return sectionsOf(['main'], false).map(({ id, label, link, icon: Icon }) => (
    <SidebarLink
      key={id}
      icon={<Icon size={18} aria-hidden />}
      render={<Link to={link} activeOptions={{ exact: true }} />}
    >
      {label()}
    </SidebarLink>
  ));
}

function LogOutButton() {
  const logOut = useLogOut();
  return (
    <Button variant="quiet" icon={<LogOut size={16} aria-hidden />} onClick={logOut}>
      {shellCopy.logOut}
    </Button>
  );
}

function HelpLinks() {
  const { label, link, icon: Icon } = sectionOf('help');
  return (
    <>
      <SidebarLink
        icon={<SquareTerminal size={18} aria-hidden />}
        render={<Link to={link} hash="command-line" activeOptions={{ includeHash: true }} />}
      >
        {terms.commandLine}
      </SidebarLink>
      <SidebarLink
        icon={<Icon size={18} aria-hidden />}
        render={<Link to={link} activeOptions={{ includeHash: true }} />}
      >
        {label()}
      </SidebarLink>
    </>
  );
}
