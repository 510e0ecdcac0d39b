import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { SidebarLink } from '../ui/layout/SidebarLink.tsx';
import { type PathParams, pathOf, sectionsOf } from './section-paths.ts';
import { SectionNavigation } from './SectionNavigation.tsx';
import type { Section, SectionId, SectionScope } from './sections.ts';

/** The numbers that a sidebar shows, by the field that a section counts. */
export type SectionCounts = Readonly<Partial<Record<NonNullable<Section['count']>, number | undefined>>>;

/** The sidebar of a scope: its sections with their counts, the settings in a group of their own. */
export function ScopeNavigation({
  scope,
  label,
  head,
  params,
  counts = {},
  below = {},
  isAdmin = false,
  isMember = true,
}: {
  scope: SectionScope;
  label: string;
  head?: ReactNode;
  params?: PathParams | undefined;
  counts?: SectionCounts | undefined;
  /** What is listed below a section. */
  below?: Readonly<Partial<Record<SectionId, ReactNode>>>;
  isAdmin?: boolean | undefined;
  isMember?: boolean | undefined;
}) {
  const all = sectionsOf([scope], isAdmin, isMember).filter(({ isUnlisted = false }) => !isUnlisted);
  const groups = [false, true]
    .map((isLast) => all.filter(({ isSettings = false }) => isSettings === isLast))
    .filter((group) => group.length > 0);
  return (
    <SectionNavigation
      label={label}
      head={head}
      groups={groups.map((group, index) => (
        <Fragment key={index}>
          {group.map((section) => (
            <SidebarLink
              key={section.id}
              icon={<section.icon size={18} aria-hidden />}
              count={section.count && counts[section.count]}
              below={below[section.id]}
              render={<Link to={pathOf(section, params)} />}
            >
              {section.label()}
            </SidebarLink>
          ))}
        </Fragment>
      ))}
    />
  );
}
