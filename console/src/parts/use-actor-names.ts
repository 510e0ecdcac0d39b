import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { clusterQuery } from '../data/queries-account.ts';
import { projectDevicesQuery, projectMembersQuery } from '../data/queries-projects.ts';

/** The known names of a project's actors, by id. */
export type ActorNames = ReadonlyMap<string, string>;

/** Reads the names of the members, devices and nodes that may occur in a project's log. */
export function useActorNames(projectId: Id<'project'>): ActorNames {
  const { data: members } = useQuery(projectMembersQuery(projectId));
  const { data: devices } = useQuery(projectDevicesQuery(projectId));
  const { data: cluster } = useQuery(clusterQuery());
  return useMemo(() => {
    const names = new Map<string, string>();
    const add = (id: string, name: string | undefined) => {
      if (name !== undefined && name.trim() !== '') names.set(id, name);
    };
    for (const { userId, displayName, email } of members?.users ?? [])
      add(userId, displayName?.trim() === '' ? email : (displayName ?? email));
    for (const { deviceId, name } of devices?.devices ?? []) add(deviceId, name);
    for (const { nodeId, name } of cluster?.nodes ?? []) add(nodeId, name);
    return names;
  }, [members, devices, cluster]);
}
