import { type Id, maxCountedFilters } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { filteredDeviceCountsQuery, savedViewsQuery } from '../data/queries-projects.ts';
import { filterOfSavedView, searchOfSavedView } from '../parts/saved-view.ts';
import { SidebarSubLink } from '../ui/layout/SidebarSubLink.tsx';
import { useMedia } from '../ui/layout/use-media.ts';
import { shellCopy } from './copy.ts';

const words = shellCopy.project.views;

/** The saved views of a project below its devices, with how many devices each lists: in the whole sidebar only, since a rail and a phone have no room. */
export function SavedViewLinks({ projectId }: { projectId: Id<'project'> }) {
  const isWide = useMedia('(width >= 64rem)');
  const { data } = useQuery({ ...savedViewsQuery(projectId), enabled: isWide });
  const [isExpanded, setIsExpanded] = useState(false);
  const views = data?.views ?? [];
  const first = views.slice(0, maxCountedFilters);
  const { data: counted } = useQuery({
    ...filteredDeviceCountsQuery(projectId, first.map(filterOfSavedView)),
    enabled: isWide && first.length > 0,
  });
  if (!isWide || views.length === 0) return null;
  return (
    <ul aria-label={words.title} className="mb-1 max-lg:hidden">
      {(isExpanded ? views : first).map((view, index) => (
        <SidebarSubLink
          key={view.name}
          count={countText(counted?.counts[index])}
          render={
            <Link
              to="/projects/$projectId/devices"
              params={{ projectId }}
              search={searchOfSavedView(view)}
              // Active only where all search parameters are equal.
              activeOptions={{ exact: true, includeSearch: true }}
            />
          }
        >
          {view.name}
        </SidebarSubLink>
      ))}
      {views.length > first.length && (
        <SidebarSubLink
          render={
            <button type="button" aria-expanded={isExpanded} onClick={() => setIsExpanded(!isExpanded)} />
          }
        >
          {isExpanded ? words.fewer : words.all}
        </SidebarSubLink>
      )}
    </ul>
  );
}

function countText(counted: { count?: number | undefined; isAll?: boolean | undefined } | undefined) {
  if (counted?.count === undefined) return undefined;
  return `${counted.count.toLocaleString('en')}${counted.isAll === true ? '' : '+'}`;
}
