import type { Id, Output } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Globe, Lock } from 'lucide-react';
import { shellCopy } from './copy.ts';
import { terms } from '../copy/terms.ts';
import { userRepositoriesQuery } from '../data/queries-repositories.ts';
import { useVisit } from '../parts/recent-items.ts';
import { useTitleScope } from '../ui/layout/document-title.ts';
import { ScopeNavigation } from './ScopeNavigation.tsx';
import { ScopeSwitcher } from './ScopeSwitcher.tsx';
import { pathOf, sectionOf } from './section-paths.ts';
import { useSectionToKeep } from './use-section-to-keep.ts';

type Repository = Output<'repositories_GetRepositoryDetails'>;

/** The sidebar of a repository, with the user's other repositories. */
export function RepositoryNavigation({ userId, repository }: { userId: Id<'user'>; repository: Repository }) {
  const { data } = useQuery(userRepositoriesQuery(userId));
  const { repositoryId } = repository;
  return <RepositorySidebar {...{ repositoryId, repository }} others={data?.repositories ?? []} />;
}

/** The sidebar of a repository: its name and id, a switcher to the user's other repositories, and its pages with counts. Without `repository`, while that loads, it has the pages alone. */
export function RepositorySidebar({
  repositoryId,
  repository,
  others,
}: {
  repositoryId: Id<'repository'>;
  repository: Repository | undefined;
  others: Output<'users_QueryUserRepositories'>['repositories'];
}) {
  const section = useSectionToKeep('repository');
  const name = repository?.name;
  useTitleScope(name ?? '');
  useVisit({ kind: 'repository', id: repositoryId, name });
  const Icon = repository?.visibility === 'Public' ? Globe : Lock;
  return (
    <ScopeNavigation
      scope="repository"
      label={shellCopy.repository.navigation}
      head={
        <ScopeSwitcher
          label={shellCopy.repository.switchRepository}
          name={name}
          glyph={
            <span className="flex size-7 shrink-0 items-center justify-center rounded-control bg-sunken text-ink2">
              <Icon size={15} aria-hidden />
            </span>
          }
          id={repositoryId}
          idWhat={terms.ids.repository}
          choices={others.map((one) => ({
            id: one.repositoryId,
            name: one.name,
            path: pathOf(section, { repositoryId: one.repositoryId }),
          }))}
          all={{ ...sectionOf('repositories'), text: shellCopy.repository.allRepositories }}
        />
      }
      params={{ repositoryId }}
      counts={repository}
      isMember={repository?.canWrite}
    />
  );
}
