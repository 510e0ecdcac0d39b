import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { deploymentTokensQuery, projectDevicesQuery } from '../../data/queries-projects.ts';
import type { ListedDevice } from '../devices/device-view.ts';
import { useLiveState } from '../use-live-state.ts';
import { awaitedDevices } from './awaited-devices.ts';
import type { MadeToken } from './use-made-token.ts';

const soonMs = 1500;

/** Waits for the devices that use a token. Asks every 1.5 s where the live view does not tell. */
export function useAwaitedDevices(
  projectId: Id<'project'>,
  { tokenId, baseline }: MadeToken,
): { devices: ListedDevice[]; isTokenUsed: boolean } {
  const refetchInterval = useLiveState() === 'live' ? 30_000 : soonMs;
  const { data } = useQuery({ ...projectDevicesQuery(projectId), refetchInterval });
  // The use of a token is no event of the live view, so it is asked for while somebody waits.
  const tokens = useQuery({ ...deploymentTokensQuery(projectId), refetchInterval: soonMs * 2 });
  const own = tokens.data?.tokens.find((token) => token.tokenId === tokenId);
  const isTokenUsed = own?.lastUsedAt !== undefined;
  return { devices: awaitedDevices(baseline, data?.devices ?? [], isTokenUsed), isTokenUsed };
}
