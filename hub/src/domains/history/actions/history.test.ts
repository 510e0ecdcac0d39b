import type { Id } from '@corral/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { seedDevice, seedNode, seedProject, type SeededProject } from '../../../../test/seed.ts';
import { RegisterDeviceConnection } from '../../devices/internal/RegisterDeviceConnection.ts';
import { UnregisterDeviceConnection } from '../../devices/internal/UnregisterDeviceConnection.ts';
import { ReportClusterNodeHeartbeat } from '../../instance/internal/ReportClusterNodeHeartbeat.ts';
import { RecordHistory } from '../internal/RecordHistory.ts';

let hub: FreshExecutor;
let project: SeededProject;
let nodeId: Id<'clusterNode'>;
beforeEach(async () => {
  hub = await freshExecutor();
  project = await seedProject(hub);
  nodeId = await seedNode(hub, 'north');
});
afterEach(() => hub[Symbol.asyncDispose]());

const node = () => ({ actor: 'ClusterNode', kind: 'ClusterNode', nodeId }) as const;
const usage = { memoryBytes: 250_000_000, load: 0.5, cores: 4, machineMemoryBytes: 16_000_000_000 };
const beat = () => hub.run(ReportClusterNodeHeartbeat, { nodeId, usage }, node());
const history = (range: 'Day' | 'Week' | 'Month' | 'Year' = 'Day') =>
  hub.as(project.owner, 'projects_QueryHistory', { projectId: project.projectId, range });

/** Lets minutes pass in which the hub is there, with the job at the end of each. */
async function watch(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    for (let part = 0; part < 6; part += 1) {
      hub.advance(10);
      await beat();
    }
    await hub.run(RecordHistory);
  }
}

async function connect(): Promise<{ deviceId: Id<'device'>; leave: () => Promise<unknown> }> {
  const { deviceId } = await seedDevice(hub, project);
  const { connectionId } = await hub.run(RegisterDeviceConnection, { deviceId, nodeId }, node());
  return {
    deviceId,
    leave: () => hub.run(UnregisterDeviceConnection, { connectionId }, node()),
  };
}

test('a step tells the last, the lowest and the highest number of connected devices', async () => {
  const first = await connect();
  await connect();
  await watch(2);
  await first.leave();
  await watch(3);
  hub.advance(60);
  const { connected, connectedLow, connectedHigh, disconnected, waiting, watched, stepSeconds, gaps } =
    await history();
  expect(stepSeconds).toBe(300);
  expect([connected, connectedLow, connectedHigh, disconnected, waiting].map((one) => one.at(-1))).toEqual([
    1, 1, 2, 1, 0,
  ]);
  expect(watched.at(-1)).toBe(1);
  expect(connected.at(-2)).toBeNull();
  expect(gaps).toEqual([]);
  const hours = await history('Week');
  expect([hours.connectedLow.at(-1), hours.connectedHigh.at(-1), hours.watched.at(-1)]).toEqual([1, 2, 1]);
  const days = await history('Year');
  expect([days.connectedLow.at(-1), days.connectedHigh.at(-1), days.stepSeconds]).toEqual([1, 2, 86_400]);
});
