import type { Id } from '@corral/contract';
import { repositoryLogQuery } from '../../data/queries-repositories.ts';
import { useRepositoryNames } from '../../parts/use-repository-names.ts';
import { logCopy } from './copy.ts';
import { LogPage } from './LogPage.tsx';

/** The audit log of a repository. */
export function RepositoryLog({
  repositoryId,
  filter,
}: {
  repositoryId: Id<'repository'>;
  filter: string | undefined;
}) {
  return (
    <LogPage
      pageQuery={(page) =>
        repositoryLogQuery(repositoryId, filter === undefined ? page : { ...page, filter })
      }
      names={useRepositoryNames(repositoryId)}
      words={logCopy.repository}
      omit="repositoryId"
    />
  );
}
