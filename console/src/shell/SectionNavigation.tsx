import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { Sidebar } from '../ui/layout/Sidebar.tsx';
import { SidebarNav } from '../ui/layout/SidebarNav.tsx';
import { useSectionSlots } from './section-slots.ts';

/** The navigation of a section, rendered into the slots of the shell: beside the page, and in the drawer on phones. */
export function SectionNavigation({
  head,
  groups,
  label,
}: {
  head?: ReactNode;
  groups: readonly ReactNode[];
  label: string;
}) {
  const { sidebar, drawer } = useSectionSlots();
  return (
    <>
      {sidebar !== null && createPortal(<Sidebar {...{ head, groups, label }} />, sidebar)}
      {drawer !== null && createPortal(<SidebarNav {...{ head, groups, label }} />, drawer)}
    </>
  );
}
