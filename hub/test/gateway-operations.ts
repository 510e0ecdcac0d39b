import { type CallInput, type Id, ids, type Output } from '@corral/contract';
import { vi } from 'vitest';
import { HintUntakenSteps } from '../src/domains/operations/internal/HintUntakenSteps.ts';
import { tickOperations } from '../src/domains/operations/jobs/operation-ticks.ts';
import type { GatewayScene } from './gateway-scene.ts';

type Found = Extract<Output<'devices_GetOperation'>, { result: 'Found' }>;

/** Operations on devices of a gateway, by the owner of its project. */
export interface GatewayOperations {
  /** Creates and starts an operation with one command, by default `touch`. */
  run(
    deviceId: Id<'device'>,
    more?: Partial<CallInput<'devices_CreateOperation'>>,
  ): Promise<Id<'deviceOperation'>>;
  get(id: Id<'deviceOperation'>): Promise<Found>;
  /** The operation once it has ended; what is due is done meanwhile. */
  ended(id: Id<'deviceOperation'>): Promise<Found>;
  /** Advances the clock, by 4 seconds if it is not said, and does what is due. */
  tick(seconds?: number): Promise<void>;
}

/** The operations of a scene, whose node keeps its lease for a year. */
export async function gatewayOperations({ hub, owner, nodeId }: GatewayScene): Promise<GatewayOperations> {
  await hub.database.db
    .updateTable('cluster_nodes')
    .set({ lease_until: new Date(hub.now().getTime() + 365 * 86_400_000) })
    .where('node_id', '=', ids.clusterNode.raw(nodeId))
    .execute();
  const operations: GatewayOperations = {
    async run(deviceId, more = {}) {
      const steps = [{ kind: 'DeviceCommand' as const, command: 'touch', input: null }];
      const input = { deviceId, name: 'Test', steps, ...more };
      const { deviceOperationId } = await hub.as(owner, 'devices_CreateOperation', input);
      await hub.as(owner, 'devices_StartOperation', { deviceOperationId });
      return deviceOperationId;
    },
    async get(deviceOperationId) {
      const found = await hub.as(owner, 'devices_GetOperation', { deviceOperationId });
      if (found.result !== 'Found') throw new Error('no such operation');
      return found;
    },
    ended: (id) =>
      vi.waitFor(
        async () => {
          await operations.tick();
          const found = await operations.get(id);
          if (found.summary.completedAt === undefined) throw new Error(`it is ${found.summary.status}`);
          return found;
        },
        { timeout: 20_000, interval: 30 },
      ),
    async tick(seconds = 4) {
      hub.advance(seconds);
      await tickOperations(hub.executor);
      await hub.run(HintUntakenSteps);
    },
  };
  return operations;
}
