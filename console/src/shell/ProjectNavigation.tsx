import type { Id, Output } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { shellCopy } from './copy.ts';
import { terms } from '../copy/terms.ts';
import { userProjectsQuery } from '../data/queries-account.ts';
import { useTitleScope } from '../ui/layout/document-title.ts';
import { useFavicon } from '../ui/picture/use-favicon.ts';
import { useVisit } from '../parts/recent-items.ts';
import { SavedViewLinks } from './SavedViewLinks.tsx';
import { ScopeNavigation } from './ScopeNavigation.tsx';
import { ScopeSwitcher } from './ScopeSwitcher.tsx';
import { pathOf, sectionOf } from './section-paths.ts';
import { useSectionToKeep } from './use-section-to-keep.ts';

type Project = Output<'projects_GetProjectDetails'>;

/** The sidebar of a project, with the user's other projects. */
export function ProjectNavigation({ userId, project }: { userId: Id<'user'>; project: Project }) {
  const { data } = useQuery(userProjectsQuery(userId));
  return <ProjectSidebar projectId={project.projectId} project={project} others={data?.projects ?? []} />;
}

/**
 * The sidebar of a project: name and id, a switcher to other projects, and pages with counts. The favicon warns of disconnected devices
 * meanwhile. Without `project`, while that loads, it has the pages alone.
 */
export function ProjectSidebar({
  projectId,
  project,
  others,
}: {
  projectId: Id<'project'>;
  project: Project | undefined;
  others: Output<'users_QueryUserProjects'>['projects'];
}) {
  const { deviceCount = 0, connectedDeviceCount = deviceCount } = project ?? {};
  useFavicon(connectedDeviceCount < deviceCount);
  useTitleScope(project?.name ?? '');
  useVisit({ kind: 'project', id: projectId, name: project?.name });
  const section = useSectionToKeep('project');
  return (
    <ScopeNavigation
      scope="project"
      label={shellCopy.project.navigation}
      head={
        <ScopeSwitcher
          label={shellCopy.project.switchProject}
          name={project?.name}
          glyph={<ProjectGlyph total={deviceCount} connected={connectedDeviceCount} />}
          id={projectId}
          idWhat={terms.ids.project}
          choices={others.map(({ projectId: id, name }) => ({
            id,
            name,
            path: pathOf(section, { projectId: id }),
          }))}
          all={{ ...sectionOf('projects'), text: shellCopy.project.allProjects }}
        />
      }
      params={{ projectId }}
      counts={{ ...project, openOperationCount: project?.openOperationCount || undefined }}
      below={{ devices: <SavedViewLinks projectId={projectId} /> }}
    />
  );
}

// Nine dots; the share of rings is the share of disconnected devices, rounded up.
function ProjectGlyph({ total, connected }: { total: number; connected: number }) {
  const rings = total === 0 ? 9 : Math.ceil(((total - connected) / total) * 9);
  return (
    <svg width="28" height="28" viewBox="0 0 28 28" aria-hidden className="shrink-0 rounded-control bg-panel">
      {Array.from({ length: 9 }, (_, index) => (
        <circle
          key={index}
          cx={7 + (index % 3) * 7}
          cy={7 + Math.floor(index / 3) * 7}
          r="2.2"
          className={
            index >= 9 - rings ? 'fill-transparent stroke-panel-off' : 'fill-panel-ok stroke-panel-ok'
          }
        />
      ))}
    </svg>
  );
}
