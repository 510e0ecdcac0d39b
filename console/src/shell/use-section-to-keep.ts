import { useRouterState } from '@tanstack/react-router';
import { findSection, sectionsOf } from './section-paths.ts';
import type { Section, SectionScope } from './sections.ts';

/** The section that switching to another project or repository keeps: the open one, or the first of the scope. */
export function useSectionToKeep(scope: SectionScope): Section {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const open = findSection(path)?.section;
  const [first] = sectionsOf([scope], false);
  if (first === undefined) throw new Error(`There is no section in ${scope}.`);
  return open?.scope === scope ? open : first;
}
