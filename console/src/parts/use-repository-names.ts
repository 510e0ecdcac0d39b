import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { clusterQuery } from '../data/queries-account.ts';
import { repositoryMembersQuery, repositoryQuery } from '../data/queries-repositories.ts';
import { repositoryServiceAccountsQuery } from './service-accounts/service-account-data.ts';
import { type ActorNames, namesOf } from './use-actor-names.ts';

/** The names of the members and nodes that may occur in a repository's log; who may only read it does not see the members. */
export function useRepositoryNames(repositoryId: Id<'repository'>): ActorNames {
  const { data: repository } = useQuery(repositoryQuery(repositoryId));
  const { data: members } = useQuery({
    ...repositoryMembersQuery(repositoryId),
    enabled: repository?.canWrite === true,
  });
  const { data: services } = useQuery({
    ...repositoryServiceAccountsQuery(repositoryId),
    enabled: repository?.canWrite === true,
  });
  const { data: cluster } = useQuery(clusterQuery());
  return useMemo(
    () =>
      namesOf({
        users: members?.members ?? [],
        services: services?.serviceAccounts ?? [],
        nodes: cluster?.nodes ?? [],
      }),
    [members, services, cluster],
  );
}
