import type { Id, Output } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { Check, ChevronsUpDown, FolderKanban } from 'lucide-react';
import { useEffect } from 'react';
import { shellCopy } from './copy.ts';
import { terms } from '../copy/terms.ts';
import { userProjectsQuery } from '../data/queries-account.ts';
import { Menu } from '../ui/overlay/Menu.tsx';
import { MenuLabel } from '../ui/overlay/MenuLabel.tsx';
import { MenuLink } from '../ui/overlay/MenuLink.tsx';
import { MenuSeparator } from '../ui/overlay/MenuSeparator.tsx';
import { IdTag } from '../ui/text/IdTag.tsx';
import { useFavicon } from '../ui/picture/use-favicon.ts';
import { rememberProject } from './palette/last-project.ts';
import { ScopeNavigation } from './ScopeNavigation.tsx';
import { pathOf, placeOf, sectionOf } from './section-paths.ts';

type Project = Output<'projects_GetProjectDetails'>;

/**
 * The sidebar of a project: its name and id, a switcher to the user's other projects, and its pages with counts. While it is shown,
 * the favicon warns of disconnected devices; the palette remembers the project as the last one.
 */
export function ProjectNavigation({ userId, project }: { userId: Id<'user'>; project: Project }) {
  const { projectId, deviceCount, connectedDeviceCount = deviceCount } = project;
  useFavicon(connectedDeviceCount < deviceCount);
  useEffect(() => rememberProject(projectId), [projectId]);
  return (
    <ScopeNavigation
      scope="project"
      label={shellCopy.project.navigation}
      head={<ProjectSwitcher userId={userId} project={project} />}
      params={{ projectId }}
      counts={project}
    />
  );
}

function ProjectSwitcher({ userId, project }: { userId: Id<'user'>; project: Project }) {
  const { data } = useQuery(userProjectsQuery(userId));
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const place = placeOf(path);
  // Switching projects keeps the section.
  const section = place?.section.scope === 'project' ? place.section : sectionOf('devices');
  return (
    <div className="flex flex-col gap-1.5">
      <Menu
        align="start"
        label={shellCopy.project.switchProject}
        trigger={
          <button
            type="button"
            className="flex min-h-12 w-full items-center gap-2.5 rounded-card border border-line bg-surface px-2.5 py-1.5 text-start transition-colors hover:border-line-strong sm:max-lg:in-[aside]:min-h-10 sm:max-lg:in-[aside]:justify-center sm:max-lg:in-[aside]:px-0"
          >
            <ProjectGlyph project={project} />
            <span className="min-w-0 flex-1 truncate text-body font-head sm:max-lg:in-[aside]:sr-only">
              {project.name}
            </span>
            <ChevronsUpDown
              size={15}
              aria-hidden
              className="shrink-0 text-ink3 sm:max-lg:in-[aside]:hidden"
            />
          </button>
        }
      >
        <MenuLabel>{shellCopy.project.switchProject}</MenuLabel>
        {data?.projects.map(({ projectId, name }) => (
          <MenuLink
            key={projectId}
            icon={projectId === project.projectId && <Check size={15} aria-hidden />}
            render={<Link to={pathOf(section, { projectId })} />}
          >
            {name}
          </MenuLink>
        ))}
        <MenuSeparator />
        <MenuLink icon={<FolderKanban size={15} aria-hidden />} render={<Link to="/projects" />}>
          {shellCopy.project.allProjects}
        </MenuLink>
      </Menu>
      <span className="px-1 sm:max-lg:in-[aside]:hidden">
        <IdTag value={project.projectId} what={terms.ids.project} length={18} />
      </span>
    </div>
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
