import { pathOf, sectionsOf } from '../section-paths.ts';
import type { Section } from '../sections.ts';
import type { PaletteEntry } from './palette-entry.ts';
import type { FoundRepository } from './repository-entries.tsx';

/** The sections of one project. */
export function projectPages(projectId: string, isAdmin: boolean): PaletteEntry[] {
  return sectionsOf(['project'], isAdmin).map((section) =>
    pageEntry(section, pathOf(section, { projectId })),
  );
}

/** The sections of one repository; some only for its members and administrators. */
export function repositoryPages(
  { repositoryId, isMember }: FoundRepository,
  isAdmin: boolean,
): PaletteEntry[] {
  return sectionsOf(['repository'], isAdmin, isAdmin || isMember).map((section) =>
    pageEntry(section, pathOf(section, { repositoryId })),
  );
}

/** The sections that belong to no project or repository; the administration only for administrators. */
export function pageEntries(isAdmin: boolean): PaletteEntry[] {
  return sectionsOf(['main', 'user', 'account', 'help'], isAdmin).map((section) =>
    pageEntry(section, section.link),
  );
}

/** The sections of the administration, for administrators. */
export function adminEntries(isAdmin: boolean): PaletteEntry[] {
  return sectionsOf(['admin'], isAdmin).map((section) => pageEntry(section, section.link));
}

function pageEntry({ label, icon: Icon, keywords }: Section, path: string): PaletteEntry {
  return {
    id: `page ${path}`,
    label: label(),
    icon: <Icon size={16} aria-hidden />,
    words: keywords(),
    target: { path },
  };
}
