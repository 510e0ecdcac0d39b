import type { ReactNode } from 'react';
import { uiCopy } from '../copy.ts';

/** The content of the sidebar, and of the drawer that replaces it on phones: a switcher and groups of SidebarLink. */
export function SidebarNav({
  head,
  groups,
  label = uiCopy.shell.sectionNavigation,
}: {
  head?: ReactNode;
  groups: readonly ReactNode[];
  label?: string | undefined;
}) {
  return (
    <nav aria-label={label} className="flex flex-col gap-3">
      {head}
      {groups.map((group, index) => (
        <div key={index} className="flex flex-col gap-3">
          {index > 0 && <hr className="mx-1 border-line" />}
          <ul className="flex flex-col">{group}</ul>
        </div>
      ))}
    </nav>
  );
}
