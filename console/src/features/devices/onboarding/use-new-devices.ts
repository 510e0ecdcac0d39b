import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { deploymentTokensQuery, projectDevicesQuery } from '../../../data/queries-projects.ts';
import type { ListedDevice } from '../../../parts/listed-device.ts';
import { useLiveState } from '../../../parts/use-live-state.ts';
import { newDevicesSince } from './new-devices.ts';
import type { CreatedToken } from './use-created-token.ts';

const pollMs = 1500;

/** The devices that appeared since a token was created. Polls every 1.5 s without the live view. */
export function useNewDevices(
  projectId: Id<'project'>,
  { tokenId, baseline }: CreatedToken,
): { devices: ListedDevice[]; isTokenUsed: boolean } {
  const refetchInterval = useLiveState() === 'live' ? 30_000 : pollMs;
  const { data } = useQuery({ ...projectDevicesQuery(projectId), refetchInterval });
  // The live view has no event for the use of a token, so it is polled.
  const tokens = useQuery({ ...deploymentTokensQuery(projectId), refetchInterval: pollMs * 2 });
  const own = tokens.data?.tokens.find((token) => token.tokenId === tokenId);
  const isTokenUsed = own?.lastUsedAt !== undefined;
  return { devices: newDevicesSince(baseline, data?.devices ?? [], isTokenUsed), isTokenUsed };
}
