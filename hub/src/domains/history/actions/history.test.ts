import { ids, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newDatedRawId } from '../../../auth/random.ts';
import { freshExecutor, system, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { seedDevice, seedNode, seedProject, type SeededProject } from '../../../../test/seed.ts';
import { RegisterDeviceConnection } from '../../devices/internal/RegisterDeviceConnection.ts';
import { UnregisterDeviceConnection } from '../../devices/internal/UnregisterDeviceConnection.ts';
import { ReportClusterNodeHeartbeat } from '../../instance/internal/ReportClusterNodeHeartbeat.ts';
import { InventHistory } from '../internal/InventHistory.ts';
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

async function connect() {
  const { deviceId, tokenId } = await seedDevice(hub, project);
  const { connectionId } = await hub.run(RegisterDeviceConnection, { deviceId, nodeId }, node());
  return {
    deviceId,
    actor: { actor: 'Device', kind: 'Device', deviceId, tokenId } as const,
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

test('while no hub is there, a history has no figures, and says when that was', async () => {
  await connect();
  await watch(10);
  hub.advance(20 * 60);
  nodeId = await seedNode(hub, 'north');
  await watch(10);
  hub.advance(60);
  const { connected, watched, gaps, from } = await history();
  const minuteOf = (at: string) => (Date.parse(at) - Date.parse(from)) / 60_000;
  expect(gaps).toHaveLength(1);
  expect(minuteOf(gaps[0]?.to ?? '') - minuteOf(gaps[0]?.from ?? '')).toBe(20);
  const steps = watched.slice(-8);
  expect(steps.filter((share) => share === 0)).toHaveLength(4);
  expect(connected.slice(-8).map((value) => value === null)).toEqual(steps.map((share) => share === 0));
  expect(connected.at(-1)).toBe(0);
});

test('events count once, in the minute in which they happened, by severity', async () => {
  const { deviceId, actor } = await connect();
  const event = (severity: 'Error' | 'Warning', minutesAgo: number) => ({
    eventId: ids.deviceEvent.of(newDatedRawId(hub.now())),
    severity,
    body: 'hot',
    attributes: {},
    emittedAt: new Date(hub.now().getTime() - minutesAgo * 60_000).toISOString(),
  });
  const publish = (events: ReturnType<typeof event>[]) =>
    hub.as(actor, 'devices_PublishDeviceEvents', { deviceId, events });
  await watch(12);
  const events = [event('Error', 0), event('Error', 0), event('Warning', 4)];
  await publish(events);
  await publish(events);
  await watch(6);
  const { events: counted, from } = await history();
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  expect([sum(counted.Error), sum(counted.Warning), sum(counted.Info)]).toEqual([2, 1, 0]);
  const stepOf = (at: string) => Math.floor((Date.parse(at) - Date.parse(from)) / 300_000);
  expect(counted.Warning[stepOf(events[2]?.emittedAt ?? '')]).toBe(1);
  expect((await history('Year')).events.Error.at(-1)).toBe(2);
  const { events: ofAll } = await hub.as(system, 'instance_QueryHistory', { range: 'Week' });
  expect([ofAll.Error.at(-1), ofAll.Warning.at(-1)]).toEqual([2, 1]);
});

test('the history of the instance has what it has, and its nodes by name', async () => {
  await connect();
  await seedProject(hub, 'Mill');
  await watch(3);
  nodeId = await seedNode(hub, 'north');
  await watch(3);
  const { users, projects, connected, nodes, disconnected } = await hub.as(system, 'instance_QueryHistory', {
    range: 'Day',
  });
  expect([users.at(-1), projects.at(-1), connected.at(-1), disconnected.at(-1)]).toEqual([2, 2, 0, 1]);
  expect(nodes.map(({ name }) => name)).toEqual(['north']);
  expect([nodes[0]?.memoryBytes.at(-1), nodes[0]?.load.at(-1)]).toEqual([250_000_000, 0.5]);
});

test('minutes are kept for two days, hours for 60 days, and nothing of a deleted project', async () => {
  await connect();
  await watch(1);
  const rows = async () => {
    const { rows } = await sql<{ kind: string; secs: number; rows: number }>`
      select kind, step_secs as secs, count(*) as rows from history group by 1, 2 order by 1, 2`.execute(
      hub.database.db,
    );
    return rows.map((row) => `${row.kind} ${row.secs} ${row.rows}`);
  };
  const ofEach = (kind: string) => [60, 3600, 86_400].map((secs) => `${kind} ${secs} 1`);
  expect(await rows()).toEqual(['Instance', 'Node', 'Project'].flatMap(ofEach));
  hub.advance(3 * 86_400);
  await hub.run(RecordHistory);
  expect(await rows()).toEqual(['Instance', 'Node', 'Project'].flatMap((kind) => ofEach(kind).slice(1)));
  hub.advance(60 * 86_400);
  await hub.as(project.owner, 'projects_DeleteProject', { projectId: project.projectId });
  await hub.run(RecordHistory);
  expect(await rows()).toEqual(['Instance 86400 1', 'Node 86400 1']);
});

test('an invented past is written for a demo alone, never on a hub with a past of its own', async () => {
  const demo = { projectId: project.projectId, devices: 200, nodeName: 'north' };
  expect(await hub.run(InventHistory, demo)).toEqual({ isWritten: true });
  expect(await hub.run(InventHistory, demo)).toEqual({ isWritten: false });
  const { connected, disconnected, gaps, events } = await history();
  const seen = connected.filter((value) => value !== null);
  expect(seen.length).toBeGreaterThan(280);
  expect([Math.min(...seen) > 110, Math.max(...seen) <= 200]).toEqual([true, true]);
  expect((connected[100] ?? 0) + (disconnected[100] ?? 0)).toBeGreaterThan(190);
  expect(gaps.filter(({ from }) => from.includes('03:12'))).toHaveLength(1);
  expect(events.Info[100], 'their list would be empty').toBe(0);
  hub.advance(1800);
  expect(await hub.run(InventHistory, demo)).toEqual({ isWritten: false });
});
