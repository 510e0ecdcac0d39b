import type { Id, Output } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { shellCopy } from './copy.ts';
import { terms } from '../copy/terms.ts';
import { userProjectsQuery } from '../data/queries-account.ts';
import { useTitleScope } from '../ui/layout/document-title.ts';
import { useFavicon } from '../ui/picture/use-favicon.ts';
import { rememberProject } from './palette/last-project.ts';
import { ScopeNavigation } from './ScopeNavigation.tsx';
import { ScopeSwitcher } from './ScopeSwitcher.tsx';
import { pathOf, sectionOf } from './section-paths.ts';
import { useSectionToKeep } from './use-section-to-keep.ts';

type Project = Output<'projects_GetProjectDetails'>;

/**
 * The sidebar of a project: its name and id, a switcher to the user's other projects, and its pages with counts. While it is shown,
 * the favicon warns of disconnected devices; the palette remembers the project as the last one.
 */
export function ProjectNavigation({ userId, project }: { userId: Id<'user'>; project: Project }) {
  const { projectId, deviceCount, connectedDeviceCount = deviceCount } = project;
  useFavicon(connectedDeviceCount < deviceCount);
  useTitleScope(project.name);
  useEffect(() => rememberProject(projectId), [projectId]);
  const { data } = useQuery(userProjectsQuery(userId));
  const section = useSectionToKeep('project');
  return (
    <ScopeNavigation
      scope="project"
      label={shellCopy.project.navigation}
      head={
        <ScopeSwitcher
          label={shellCopy.project.switchProject}
          name={project.name}
          glyph={<ProjectGlyph project={project} />}
          id={projectId}
          idWhat={terms.ids.project}
          choices={(data?.projects ?? []).map(({ projectId: id, name }) => ({
            id,
            name,
            path: pathOf(section, { projectId: id }),
          }))}
          all={{ ...sectionOf('projects'), text: shellCopy.project.allProjects }}
        />
      }
      params={{ projectId }}
      counts={project}
    />
  );
}

// Nine dots; the share of rings is the share of disconnected devices, rounded up.
function ProjectGlyph({ project }: { project: Project }) {
  const { deviceCount: total, connectedDeviceCount: connected = total } = project;
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
