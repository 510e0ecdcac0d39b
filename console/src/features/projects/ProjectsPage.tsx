import type { Id } from '@corral/contract';
import { FolderPlus, Plus } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { projectsCopy } from './copy.ts';
import { terms } from '../../copy/terms.ts';
import { usePinnedProjects } from '../../parts/pinned-projects.ts';
import { type ProjectSort, projectSorts, sortProjects } from '../../parts/project-order.ts';
import { ProjectCard } from './ProjectCard.tsx';
import { useStableOrder } from './use-stable-order.ts';
import { useLazyModule } from '../../parts/use-lazy-module.ts';
import { userProjectsQuery } from '../../data/queries-account.ts';
import { useLoadedQuery } from '../../data/use-loaded-query.ts';
import { SectionHeader } from '../../parts/SectionHeader.tsx';
import { PageActionButton } from '../../parts/PageActionButton.tsx';
import { FilterChips } from '../../ui/form/FilterChips.tsx';
import { CardGrid } from '../../ui/layout/CardGrid.tsx';
import { EmptyState } from '../../ui/layout/EmptyState.tsx';
import { Page } from '../../ui/layout/Page.tsx';

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
  const [isCreating, setIsCreating] = useState(false);
  const [isWanted, setIsWanted] = useState(false);
  const createDialog = useLazyModule(loadCreateProject, isWanted);
  const projects = useStableOrder(
    data.projects,
    ({ projectId }) => projectId,
    (all) => sortProjects(all, sort, pinned),
    `${sort} ${[...pinned].join(' ')}`,
  );
  const devices = projects.reduce((sum, project) => sum + project.devices, 0);
  const createButton = (
    <PageActionButton
      isCreate
      variant="primary"
      icon={<Plus size={16} aria-hidden />}
      onClick={() => {
        setIsWanted(true);
        setIsCreating(true);
      }}
    >
      {terms.create.projects}
    </PageActionButton>
  );
  return (
    <Page>
      <SectionHeader
        meta={projects.length > 0 && projectsCopy.summary(projects.length, devices)}
        actions={projects.length > 0 && createButton}
      />
      {projects.length >= minProjectsToSort && (
        <div className="mb-4">
          <FilterChips
            label={projectsCopy.sort}
            value={sort}
            chips={projectSorts.map((value) => ({
              value,
              label: value === 'name' ? projectsCopy.byName : projectsCopy.byTrouble,
            }))}
            onValueChange={onSortChange}
          />
        </div>
      )}
      {projects.length === 0 ? (
        <EmptyState
          icon={<FolderPlus size={20} aria-hidden />}
          title={projectsCopy.emptyTitle}
          text={projectsCopy.emptyText}
          action={createButton}
        />
      ) : (
        <CardGrid>
          {projects.map((project) => (
            <ProjectCard
              key={project.projectId}
              project={project}
              isPinned={pinned.has(project.projectId)}
              onTogglePin={() => toggle(project.projectId)}
            />
          ))}
        </CardGrid>
      )}
      {createDialog?.({ userId, open: isCreating, onOpenChange: setIsCreating })}
    </Page>
  );
}
