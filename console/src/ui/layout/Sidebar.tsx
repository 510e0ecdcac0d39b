import type { ReactNode } from 'react';
import { uiCopy } from '../copy.ts';
import { SidebarNav } from './SidebarNav.tsx';

/**
 * The navigation of a section: 232 px wide, icons only from 640 to 1023 px, hidden on phones (show its content in a Drawer
 * there). `head` is the switcher; `groups` are lists of SidebarLink, separated by rules.
 */
export function Sidebar({
  head,
  groups,
  label = uiCopy.shell.sectionNavigation,
}: {
  head?: ReactNode;
  groups: readonly ReactNode[];
  label?: string | undefined;
}) {
  return (
    <aside className="sticky top-(--header-height) h-[calc(100dvh-var(--header-height))] w-14 shrink-0 overflow-y-auto border-e border-line px-2 py-4 max-sm:hidden lg:w-58 lg:px-3 print:hidden">
      <SidebarNav head={head} groups={groups} label={label} />
    </aside>
  );
}
