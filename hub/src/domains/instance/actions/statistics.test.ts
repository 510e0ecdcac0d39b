import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshExecutor, system, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { seedDevice, seedNode, seedProject } from '../../../../test/seed.ts';
import { RecordStatistics } from '../internal/RecordStatistics.ts';
import { RegisterDeviceConnection } from '../../devices/internal/RegisterDeviceConnection.ts';

let hub: FreshExecutor;
beforeAll(async () => void (hub = await freshExecutor()));
afterAll(() => hub[Symbol.asyncDispose]());

const daySecs = 86_400;
const stored = {
  events: expect.any(Number) as number,
  auditLog: expect.any(Number) as number,
  otherRows: expect.any(Number) as number,
};
const read = () => hub.as(system, 'instance_GetInstanceStatistics', {});
const record = () => hub.run(RecordStatistics);

test('counts are recorded once a day, and those of the last seven days are shown with today as of now', async () => {
  expect(await read()).toEqual({
    storage: { assets: 0, ...stored },
    users: 0,
    projects: 0,
    devices: 0,
    connectedDevices: 0,
    days: [{ day: '2026-11-20', users: 0, projects: 0, devices: 0, connectedDevices: 0 }],
  });
  const project = await seedProject(hub);
  const { deviceId } = await seedDevice(hub, project);
  const nodeId = await seedNode(hub, 'north');
  const node = { actor: 'ClusterNode', kind: 'ClusterNode', nodeId } as const;
  await hub.run(RegisterDeviceConnection, { deviceId, nodeId }, node);
  await record();
  hub.advance(60);
  // The node has lost its lease, so its connection does not count any more; the day keeps the most.
  await record();
  const counts = { users: 1, projects: 1, devices: 1 };
  expect(await read()).toEqual({
    storage: { assets: 0, ...stored },
    ...counts,
    connectedDevices: 0,
    days: [{ day: '2026-11-20', ...counts, connectedDevices: 1 }],
  });
  hub.advance(2 * daySecs);
  expect((await read()).days?.map(({ day, connectedDevices }) => [day, connectedDevices])).toEqual([
    ['2026-11-20', 1],
    ['2026-11-22', 0],
  ]);
  hub.advance(5 * daySecs);
  expect((await read()).days?.map(({ day }) => day)).toEqual(['2026-11-27']);
  hub.advance(400 * daySecs);
  await record();
  expect(await hub.database.db.selectFrom('instance_days').selectAll().execute()).toHaveLength(1);
});

test('statistics are for administrators', async () => {
  const ann = await hub.user('ann@example.com');
  expect((await hub.refusal(ann, 'instance_GetInstanceStatistics', {})).kind).toBe('Forbidden');
});
