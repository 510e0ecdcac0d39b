import type { Id } from '@corral/contract';
import type { FreshExecutor } from './fresh-executor.ts';
import type { SeededProject } from './seed.ts';

/** Begins a change that labels one device. */
export async function seedChange(
  hub: FreshExecutor,
  { projectId, owner }: SeededProject,
  deviceId: Id<'device'>,
): Promise<Id<'fleetJob'>> {
  const input = {
    projectId,
    deviceIds: [deviceId],
    change: { kind: 'SetLabel' as const, name: 'ring', value: 'canary' },
  };
  const { previewHash } = await hub.as(owner, 'fleet_PreviewChange', input);
  return (await hub.as(owner, 'fleet_ApplyChange', { ...input, previewHash })).jobId;
}
