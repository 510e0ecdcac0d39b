import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { usersQuery } from '../../data/queries-account.ts';
import { projectMembersQuery } from '../../data/queries-projects.ts';
import type { AlertPlace } from '../../parts/alerts/alerts.ts';
import { type ActorNames, namesOf } from '../../parts/use-actor-names.ts';

const administrators = { isAdmin: true, limit: 100 } as const;

/** The names of those who can act on the alerts of a place: its members, or the administrators. */
export function usePeopleOf({ projectId }: AlertPlace): ActorNames {
  const isInstance = projectId === undefined;
  const { data: members } = useQuery({ ...projectMembersQuery(projectId ?? 'p_'), enabled: !isInstance });
  const { data: admins } = useQuery({ ...usersQuery(administrators), enabled: isInstance });
  return useMemo(
    () => namesOf({ users: members?.users ?? admins?.users ?? [], nodes: [] }),
    [members, admins],
  );
}
