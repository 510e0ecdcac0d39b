import type { Id, Output } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { userQuery } from '../../data/queries-account.ts';
import { userRepositoriesQuery } from '../../data/queries-repositories.ts';
import { useLoadedQuery } from '../../data/use-loaded-query.ts';

type Repository = Output<'users_QueryUserRepositories'>['repositories'][number];

/** A function that says whether the hub lets a user link a repository: a public one, one that the user owns, and as an administrator any. */
export function useMayLink(
  userId: Id<'user'>,
): (repository: Pick<Repository, 'repositoryId' | 'visibility'>) => boolean {
  const { repositories } = useLoadedQuery(userRepositoriesQuery(userId)).data;
  const isAdmin = useQuery(userQuery(userId)).data?.isAdmin === true;
  return useCallback(
    ({ repositoryId, visibility }) =>
      isAdmin ||
      visibility === 'Public' ||
      repositories.some((one) => one.repositoryId === repositoryId && one.isOwner),
    [repositories, isAdmin],
  );
}
