import type { Id, Output } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { clusterQuery } from '../data/queries-account.ts';
import { projectServiceAccountsQuery, type ServiceAccount } from './service-accounts/service-account-data.ts';
import { projectDevicesQuery, projectMembersQuery } from '../data/queries-projects.ts';

/** The known names of the actors of a project or repository, by id. */
export type ActorNames = ReadonlyMap<string, string>;

/** Reads the names of the members, devices and nodes that may occur in a project's log. */
export function useActorNames(projectId: Id<'project'>): ActorNames {
  const { data: members } = useQuery(projectMembersQuery(projectId));
  const { data: services } = useQuery(projectServiceAccountsQuery(projectId));
  const { data: devices } = useQuery(projectDevicesQuery(projectId));
  const { data: cluster } = useQuery(clusterQuery());
  return useMemo(
    () =>
      namesOf({
        users: members?.users ?? [],
        services: services?.serviceAccounts ?? [],
        devices: devices?.devices ?? [],
        nodes: cluster?.nodes ?? [],
      }),
    [members, services, devices, cluster],
  );
}

/** The names of users, devices and nodes by id, as far as they have one. */
export function namesOf({
  users,
  services = [],
  devices = [],
  nodes,
}: {
  users: readonly Pick<Output<'users_GetUserDetails'>, 'userId' | 'displayName' | 'email'>[];
  services?: readonly ServiceAccount[];
  devices?: Output<'projects_QueryProjectDevices'>['devices'];
  nodes: Output<'cluster_GetClusterDetails'>['nodes'];
}): ActorNames {
  const names = new Map<string, string>();
  const add = (id: string, name: string | undefined) => {
    if (name !== undefined && name.trim() !== '') names.set(id, name);
  };
  for (const { userId, displayName, email } of users)
    add(userId, displayName?.trim() === '' ? email : (displayName ?? email));
  for (const { userId, name } of services) add(userId, name);
  for (const { deviceId, name, hostname } of devices) add(deviceId, name?.trim() ? name : hostname);
  for (const { nodeId, name } of nodes) add(nodeId, name);
  return names;
}
