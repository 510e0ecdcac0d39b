import type { FreshExecutor } from './fresh-executor.ts';
import type { SeededProject } from './seed.ts';

/** An open pairing key of a project. */
export async function seedPairingKey(hub: FreshExecutor, { projectId, owner }: SeededProject) {
  const { pairingKeyId } = await hub.as(owner, 'projects_CreateDevicePairingKey', { projectId });
  return { pairingKey: pairingKeyId };
}
