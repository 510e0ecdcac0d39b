import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { FolderPlus } from 'lucide-react';
import type { ComponentProps } from 'react';
import { projectsCopy } from './copy.ts';
import { terms } from '../../copy/terms.ts';
import { ActivityCard } from '../../parts/ActivityCard.tsx';
import { useFiringRules } from '../../parts/alerts/use-firing-rules.ts';
import { NeedsCard } from '../../parts/NeedsCard.tsx';
import { useOpenOperations } from '../../parts/operation/use-open-operations.ts';
import { usePinnedProjects } from '../../parts/pinned-projects.ts';
import { type ProjectSort, projectSorts, sortProjects } from '../../parts/project-order.ts';
import { ProjectCard } from './ProjectCard.tsx';
import { useStableOrder } from './use-stable-order.ts';
import { ResourceCardsPage } from '../../parts/ResourceCardsPage.tsx';
import { useLazyDialog } from '../../parts/use-lazy-dialog.ts';
import { userProjectsQuery } from '../../data/queries-account.ts';
import { overviewQuery } from '../../data/queries-projects.ts';
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
  const isAlone = projects.length === 1;
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
        <>
          <ProjectCard
            project={project}
            isOnly={isAlone}
            isPinned={pinned.has(project.projectId)}
            onTogglePin={() => toggle(project.projectId)}
          />
          {isAlone && <BesideOnly projectId={project.projectId} />}
        </>
      )}
    >
      {createDialog.render({ userId })}
    </ResourceCardsPage>
  );
}

/** Beside the only project: what needs a person in it, and what was done. */
function BesideOnly({ projectId }: { projectId: Id<'project'> }) {
  const { data } = useQuery(overviewQuery(projectId));
  const operations = useOpenOperations(projectId);
  const firing = useFiringRules(projectId);
  return (
    <div className="flex flex-col gap-5 sm:col-span-2 lg:col-span-1">
      {data !== undefined && <NeedsCard {...{ projectId, operations, firing }} needs={data.needs} />}
      <ActivityCard {...{ projectId }} shown={5} className="flex-1" />
    </div>
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
