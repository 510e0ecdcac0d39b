import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { clusterQuery, usersQuery } from '../data/queries-account.ts';
import { rowsPerPage } from './list-limits.ts';
import { type ActorNames, namesOf } from './use-actor-names.ts';

/** The names of the users and nodes of the instance, for administrators: of users the first ones by e-mail address. */
export function useInstanceNames(): ActorNames {
  const { data: users } = useQuery(usersQuery({ limit: rowsPerPage }));
  const { data: cluster } = useQuery(clusterQuery());
  return useMemo(() => namesOf({ users: users?.users ?? [], nodes: cluster?.nodes ?? [] }), [users, cluster]);
}
