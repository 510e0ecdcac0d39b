import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { FolderPlus, Plus } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { projectsCopy } from '../../../features/projects/copy.ts';
import { terms } from '../../../copy/terms.ts';
import { usePinnedProjects } from '../../../parts/pinned-projects.ts';
import { type ProjectSort, projectSorts, sortProjects } from '../../../parts/project-order.ts';
import { ProjectCard } from '../../../features/projects/ProjectCard.tsx';
import { useStableOrder } from '../../../features/projects/use-stable-order.ts';
import { useLazyModule } from '../../../parts/use-lazy-module.ts';
import { userProjectsQuery } from '../../../data/queries-account.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { FilterChips } from '../../../ui/form/FilterChips.tsx';
import { CardGrid } from '../../../ui/layout/CardGrid.tsx';
import { EmptyState } from '../../../ui/layout/EmptyState.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { PageHeader } from '../../../ui/layout/PageHeader.tsx';

export const Route = createFileRoute('/_guard/projects/')({
  // Every key must be present: the router keeps the raw value of a key that is left out.
  validateSearch: (search: Record<string, unknown>): { sort?: ProjectSort | undefined } => ({
    sort: search['sort'] === 'name' ? 'name' : undefined,
  }),
  loader: ({ context }) => context.queryClient.ensureQueryData(userProjectsQuery(context.userId)),
  component: Projects,
});

// Lazy, because the list does not need the code of the form.
async function loadCreateProject() {
  const { CreateProjectDialog } = await import('../../../features/projects/CreateProjectDialog.tsx');
  return (props: ComponentProps<typeof CreateProjectDialog>) => <CreateProjectDialog {...props} />;
}

// Sorting is of little use for fewer projects.
const minProjectsToSort = 4;

function Projects() {
  const { userId } = Route.useRouteContext();
  const { sort = 'trouble' } = Route.useSearch();
  const navigate = Route.useNavigate();
  const { data } = useSuspenseQuery(userProjectsQuery(userId));
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
    <Button
      variant="primary"
      icon={<Plus size={16} aria-hidden />}
      aria-keyshortcuts="c"
      onClick={() => {
        setIsWanted(true);
        setIsCreating(true);
      }}
    >
      {terms.create.projects}
    </Button>
  );
  return (
    <Page>
      <PageHeader
        title={terms.sections.projects}
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
            onValueChange={(value) =>
              void navigate({ search: value === 'name' ? { sort: 'name' } : {}, replace: true })
            }
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
