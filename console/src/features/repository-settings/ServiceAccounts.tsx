import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { useRun } from '../../data/action-mutation.ts';
import {
  createRepositoryServiceAccount,
  repositoryServiceAccountsQuery,
} from '../../parts/service-accounts/service-account-data.ts';
import { ServiceAccountsCard } from '../../parts/service-accounts/ServiceAccountsCard.tsx';

/** The service accounts of a repository, for its members. */
export function ServiceAccounts({
  repositoryId,
  isOwner,
}: {
  repositoryId: Id<'repository'>;
  isOwner: boolean;
}) {
  const run = useRun();
  return (
    <ServiceAccountsCard
      accounts={useQuery(repositoryServiceAccountsQuery(repositoryId))}
      isOwner={isOwner}
      onCreate={(name) => run(createRepositoryServiceAccount, { repositoryId, name })}
    />
  );
}
