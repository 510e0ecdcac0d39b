import type { Id } from '@corral/contract';
import { FolderPlus } from 'lucide-react';
import type { ComponentProps } from 'react';
import { projectsCopy } from './copy.ts';
import { terms } from '../../copy/terms.ts';
import { usePinnedProjects } from '../../parts/pinned-projects.ts';
import { type ProjectSort, projectSorts, sortProjects } from '../../parts/project-order.ts';
import { ProjectCard } from './ProjectCard.tsx';
import { useStableOrder } from './use-stable-order.ts';
import { ResourceCardsPage } from '../../parts/ResourceCardsPage.tsx';
import { useLazyDialog } from '../../parts/use-lazy-dialog.ts';
import { userProjectsQuery } from '../../data/queries-account.ts';
import { useLoadedQuery } from '../../data/use-loaded-query.ts';
import { FilterChips } from '../../ui/form/FilterChips.tsx';

// Lazy, because the list does not need the code of the form.
async function loadCreateProject() {
  const { CreateProjectDialog } = await import('./CreateProjectDialog.tsx');
  return (props: ComponentProps<typeof CreateProjectDialog>) => <CreateProjectDialog {...props} />;
}

// Sorting is of little use for fewer projects.
const minProjectsToSort = 4;

/** The projects of the user as cards, those with trouble first. */
export function ProjectsPage({
  userId,
  sort,
  onSortChange,
}: {
  userId: Id<'user'>;
  sort: ProjectSort;
  onSortChange: (sort: ProjectSort) => void;
}) {
  const { data } = useLoadedQuery(userProjectsQuery(userId));
  const { pinned, toggle } = usePinnedProjects();
  const createDialog = useLazyDialog(loadCreateProject);
  const projects = useStableOrder(
    data.projects,
    ({ projectId }) => projectId,
    (all) => sortProjects(all, sort, pinned),
    `${sort} ${[...pinned].join(' ')}`,
  );
  const devices = projects.reduce((sum, project) => sum + project.devices, 0);
  return (
    <ResourceCardsPage
      items={projects}
      keyOf={({ projectId }) => projectId}
      meta={projectsCopy.summary(projects.length, devices)}
      create={{ label: terms.create.projects, onCreate: createDialog.open }}
      filters={projects.length >= minProjectsToSort && <SortChips {...{ sort, onSortChange }} />}
      empty={{
        icon: <FolderPlus size={20} aria-hidden />,
        title: projectsCopy.emptyTitle,
        text: projectsCopy.emptyText,
      }}
      card={(project) => (
        <ProjectCard
          project={project}
          isOnly={projects.length === 1}
          isPinned={pinned.has(project.projectId)}
          onTogglePin={() => toggle(project.projectId)}
        />
      )}
    >
      {createDialog.render({ userId })}
    </ResourceCardsPage>
  );
}

function SortChips({ sort, onSortChange }: { sort: ProjectSort; onSortChange: (sort: ProjectSort) => void }) {
  return (
    <FilterChips
      label={projectsCopy.sort}
      value={sort}
      chips={projectSorts.map((value) => ({
        value,
        label: value === 'name' ? projectsCopy.byName : projectsCopy.byTrouble,
      }))}
      onValueChange={onSortChange}
    />
  );
}
