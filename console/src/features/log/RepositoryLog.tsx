import type { Id } from '@corral/contract';
import { repositoryLogQuery, repositoryLogSearchQuery } from '../../data/queries-repositories.ts';
import { useRepositoryNames } from '../../parts/use-repository-names.ts';
import { logCopy } from './copy.ts';
import { withTyped } from './log-filter.ts';
import { LogPage } from './LogPage.tsx';
import { useFirstFilter } from './use-first-filter.ts';

/** The audit log of a repository. */
export function RepositoryLog(props: { repositoryId: Id<'repository'>; filter: string | undefined }) {
  const { repositoryId } = props;
  const filter = useFirstFilter(props.filter);
  return (
    <LogPage
      pageQuery={(page) =>
        repositoryLogQuery(repositoryId, filter === undefined ? page : { ...page, filter })
      }
      sentOf={(typed) => withTyped(filter, typed)}
      searchQuery={(page) => repositoryLogSearchQuery(repositoryId, page)}
      names={useRepositoryNames(repositoryId)}
      words={logCopy.repository}
      omit="repositoryId"
    />
  );
}
