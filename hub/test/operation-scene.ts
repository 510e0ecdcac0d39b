import { ids, type CallInput, type Id, type Output } from '@corral/contract';
import { RegisterDeviceConnection } from '../src/domains/devices/internal/RegisterDeviceConnection.ts';
import { tickOperations } from '../src/domains/operations/jobs/operation-ticks.ts';
import type { DeviceScene } from './device-scene.ts';
import { seedNode } from './seed.ts';

type Steps = CallInput<'devices_CreateOperation'>['steps'];
/** A step as a device gets it. */
export type Work = Output<'devices_ClaimOperationWork'>['work'][number];
type Report = CallInput<'devices_ReportOperationStep'>['report'];
type Found = Extract<Output<'devices_GetOperation'>, { result: 'Found' }>;

/** Operations on the device of a scene, by its member. */
export interface OperationScene {
  create(steps: Steps): Promise<Id<'deviceOperation'>>;
  start(id: Id<'deviceOperation'>): Promise<void>;
  started(steps: Steps): Promise<Id<'deviceOperation'>>;
  get(id: Id<'deviceOperation'>): Promise<Found>;
  /** Claims a step over a connection, by its raw id, or a script's. */
  claim(connectionId?: string): Promise<Work[]>;
  report(work: Work | undefined, report: Report): Promise<void>;
  /** What the loop of a node does. */
  tick(): Promise<void>;
}

/** The operations of a scene. */
export function operationsOf({ hub, member, device }: DeviceScene): OperationScene {
  const scene: OperationScene = {
    async create(steps) {
      const input = { deviceId: device.deviceId, name: 'Test', steps };
      return (await hub.as(member, 'devices_CreateOperation', input)).deviceOperationId;
    },
    async start(deviceOperationId) {
      await hub.as(member, 'devices_StartOperation', { deviceOperationId });
    },
    async started(steps) {
      const id = await scene.create(steps);
      await scene.start(id);
      return id;
    },
    async get(deviceOperationId) {
      const found = await hub.as(member, 'devices_GetOperation', { deviceOperationId });
      if (found.result !== 'Found') throw new Error('no such operation');
      return found;
    },
    async claim(connectionId) {
      const { deviceId } = device;
      const origin = { ip: '127.0.0.1', ...(connectionId === undefined ? {} : { connectionId }) };
      return (await hub.as(device.actor, 'devices_ClaimOperationWork', { deviceId }, origin)).work;
    },
    async report(work, report) {
      if (work === undefined) throw new Error('nothing was claimed');
      const { deviceOperationId, stepIndex, claimId } = work;
      const of = { deviceId: device.deviceId, deviceOperationId, stepIndex, claimId };
      await hub.as(device.actor, 'devices_ReportOperationStep', { ...of, report });
    },
    async tick() {
      await tickOperations(hub.executor);
    },
  };
  return scene;
}

/** Connects the device of a scene for a year. */
export async function connectedDevice({ hub, device }: DeviceScene): Promise<string> {
  const nodeId = await seedNode(hub);
  await hub.database.db
    .updateTable('cluster_nodes')
    .set({ lease_until: new Date(hub.now().getTime() + 365 * 86_400_000) })
    .where('node_id', '=', ids.clusterNode.raw(nodeId))
    .execute();
  const { deviceId } = device;
  const { connectionId } = await hub.run(RegisterDeviceConnection, { deviceId, nodeId });
  return ids.deviceConnection.raw(connectionId);
}
