import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FolderKanban, PackagePlus } from 'lucide-react';
import { repositoryProjectsQuery } from '../../../data/queries-repositories.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { ButtonLink } from '../../../ui/action/ButtonLink.tsx';
import { Menu } from '../../../ui/overlay/Menu.tsx';
import { MenuLink } from '../../../ui/overlay/MenuLink.tsx';
import { packagesCopy } from '../copy.ts';

/** Begins an operation that installs a version on devices of a project that the repository is linked to; of several the user chooses one. Only members of the repository learn which those are. */
export function InstallButton({
  isMember,
  ...version
}: {
  isMember: boolean;
  repositoryId: Id<'repository'>;
  packageId: Id<'package'>;
  versionId: Id<'packageVersion'>;
}) {
  const { data } = useQuery({
    ...repositoryProjectsQuery(version.repositoryId),
    enabled: isMember,
    retry: false,
  });
  const projects = data?.projects ?? [];
  const linkTo = (projectId: Id<'project'>) => (
    <Link
      to="/projects/$projectId/operations/new"
      params={{ projectId }}
      search={{
        kind: 'install',
        repository: version.repositoryId,
        package: version.packageId,
        version: version.versionId,
      }}
    />
  );
  const icon = <PackagePlus size={15} aria-hidden />;
  const label = packagesCopy.version.install;
  const [only] = projects;
  if (only === undefined) return null;
  if (projects.length === 1)
    return (
      <ButtonLink icon={icon} render={linkTo(only.projectId)}>
        {label}
      </ButtonLink>
    );
  return (
    <Menu label={label} trigger={<Button icon={icon}>{label}</Button>}>
      {projects.map(({ projectId, name }) => (
        <MenuLink key={projectId} icon={<FolderKanban size={15} aria-hidden />} render={linkTo(projectId)}>
          {name}
        </MenuLink>
      ))}
    </Menu>
  );
}
