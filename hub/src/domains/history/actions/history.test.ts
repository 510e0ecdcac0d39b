import { ids, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newDatedRawId } from '../../../auth/random.ts';
import { freshExecutor, system, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { seedDevice, seedNode, seedProject, type SeededProject } from '../../../../test/seed.ts';
import { seedRepository } from '../../../../test/seed-repository.ts';
import { RegisterDeviceConnection } from '../../devices/internal/RegisterDeviceConnection.ts';
import { UnregisterDeviceConnection } from '../../devices/internal/UnregisterDeviceConnection.ts';
import { ReportClusterNodeHeartbeat } from '../../instance/internal/ReportClusterNodeHeartbeat.ts';
import { InventHistory } from '../internal/InventHistory.ts';
import { RecordHistory } from '../internal/RecordHistory.ts';
import { RecordServedBytes } from '../internal/RecordServedBytes.ts';
import { RecordVersions } from '../internal/RecordVersions.ts';

let hub: FreshExecutor;
let project: SeededProject;
let nodeId: Id<'clusterNode'>;
beforeEach(async () => {
  hub = await freshExecutor();
  project = await seedProject(hub);
  // With the minute in which the node joins, a whole step.
  hub.advance(4 * 60);
  await join();
});
afterEach(() => hub[Symbol.asyncDispose]());

const node = () => ({ actor: 'ClusterNode', kind: 'ClusterNode', nodeId }) as const;
const usage = { memoryBytes: 250_000_000, load: 0.5, cores: 4, machineMemoryBytes: 16_000_000_000 };
const beat = () => hub.run(ReportClusterNodeHeartbeat, { nodeId, usage }, node());
const history = (range: 'Day' | 'Week' | 'Month' | 'Year' = 'Day') =>
  hub.as(project.owner, 'projects_QueryHistory', { projectId: project.projectId, range });

async function pass(seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 10) {
    hub.advance(10);
    await beat();
  }
}

/** Lets minutes pass in which the hub is there, with the job at the end of each. */
async function watch(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    await pass(60);
    await hub.run(RecordHistory);
    await hub.run(RecordVersions);
  }
}

/** Lets the node join, and the minute pass in which devices come back, of which nothing is known. */
async function join(): Promise<void> {
  nodeId = await seedNode(hub, 'north');
  await hub.run(RecordHistory);
  await watch(1);
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
  expect([hours.connectedLow.at(-1), hours.connectedHigh.at(-1), hours.watched.at(-1)]).toEqual([1, 2, 0.5]);
  const days = await history('Year');
  expect([days.connectedLow.at(-1), days.connectedHigh.at(-1), days.stepSeconds]).toEqual([1, 2, 86_400]);
});

test('a hub that begins late in a minute was not away before', async () => {
  await hub[Symbol.asyncDispose]();
  hub = await freshExecutor();
  project = await seedProject(hub);
  hub.advance(4 * 60 + 40);
  await join();
  await watch(3);
  for (const range of ['Day', 'Week'] as const) expect((await history(range)).gaps).toEqual([]);
});

test('while no hub is there, a history has no figures, and says when that was', async () => {
  await connect();
  await watch(10);
  hub.advance(19 * 60);
  await join();
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

test('a hub that starts again knows nothing until devices had a minute to come back', async () => {
  const { deviceId, leave } = await connect();
  await watch(10);
  await leave();
  hub.advance(20);
  nodeId = await seedNode(hub, 'north');
  await hub.run(RecordHistory);
  await pass(40);
  await hub.run(RecordHistory);
  await hub.run(RegisterDeviceConnection, { deviceId, nodeId }, node());
  await watch(5);
  const { connectedLow, connectedHigh } = await history();
  expect(connectedLow.filter((value) => value !== null)).toEqual(
    connectedHigh.filter((value) => value !== null),
  );
  expect(new Set(connectedLow)).toEqual(new Set([null, 1]));
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
  await join();
  await watch(3);
  const { users, projects, connected, nodes, disconnected } = await hub.as(system, 'instance_QueryHistory', {
    range: 'Day',
  });
  expect([users.at(-1), projects.at(-1), connected.at(-1), disconnected.at(-1)]).toEqual([2, 2, 0, 1]);
  expect(nodes.map(({ name }) => name)).toEqual(['north']);
  expect([nodes[0]?.memoryBytes.at(-1), nodes[0]?.load.at(-1)]).toEqual([250_000_000, 0.5]);
});

test('versions are those of the last look at each hour, unknown where no hub was there', async () => {
  const report = async (one: Awaited<ReturnType<typeof connect>>, version: string) =>
    hub.as(one.actor, 'devices_SetDeviceProperty', {
      deviceId: one.deviceId,
      name: 'app.version',
      value: version,
    });
  const versions = async (range: 'Day' | 'Month' | 'Year' = 'Day') =>
    (
      await hub.as(project.owner, 'projects_QueryVersionHistory', { projectId: project.projectId, range })
    ).fields.map(({ field, values, others }) => [
      field,
      ...values.map(({ value, devices }) => [value, ...devices.slice(-4)]),
      others.slice(-4),
    ]);
  const hour = new Date(Math.ceil(hub.now().getTime() / 3_600_000) * 3_600_000);
  hub.advance((hour.getTime() - hub.now().getTime()) / 1000);
  nodeId = await seedNode(hub, 'north');
  const devices = await Promise.all(Array.from({ length: 11 }, connect));
  for (const device of devices) await report(device, '1.3.2');
  await watch(2);
  hub.advance(2 * 3600);
  nodeId = await seedNode(hub, 'north');
  for (const [index, device] of devices.entries()) if (index > 0) await report(device, `1.4.${index}`);
  await watch(2);
  const now = await hub.as(project.owner, 'projects_GetOverview', { projectId: project.projectId });
  expect(now.versions[0]?.values).toHaveLength(11);
  hub.advance(60);
  const seen = (count: number) => (value: string) => [value, null, 0, null, count];
  const [[field, first, ...others] = []] = await versions();
  expect([field, first]).toEqual(['app.version', ['1.3.2', null, 11, null, 1]]);
  // The eight most frequent of each look are kept: here those that come first.
  expect(others.slice(0, -1)).toEqual(
    ['1.4.1', '1.4.10', '1.4.2', '1.4.3', '1.4.4', '1.4.5', '1.4.6'].map(seen(1)),
  );
  expect(others.at(-1)).toEqual([null, 0, null, 3]);
  expect((await versions('Month'))[0]?.[1]).toEqual(['1.3.2', null, null, null, 1]);
  expect((await versions('Year'))[0]?.[1]).toEqual(['1.3.2', null, null, null, 1]);
});

test('a field that an owner names as a version is unknown in the hours before, not without devices', async () => {
  const { deviceId, actor } = await connect();
  const projectId = project.projectId;
  for (const name of ['app.version', 'firmware'])
    await hub.as(actor, 'devices_SetDeviceProperty', { deviceId, name, value: '7' });
  await watch(2);
  await hub.as(project.owner, 'projects_SetVersionFields', { projectId, fields: ['firmware'] });
  hub.advance(3600);
  await join();
  await watch(1);
  const { fields } = await hub.as(project.owner, 'projects_QueryVersionHistory', { projectId, range: 'Day' });
  expect(fields.map(({ field, values }) => [field, values[0]?.devices.slice(-2)])).toEqual([
    ['app.version', [1, null]],
    ['firmware', [null, 1]],
  ]);
});

test('what a repository stores and serves is seen once an hour, and gone with it', async () => {
  const { repositoryId, owner } = await seedRepository(hub);
  const add = (digit: string, size: number) =>
    hub.as(owner, 'repositories_CreateAsset', {
      repositoryId,
      size,
      digest: `sha256_${digit.repeat(64)}`,
    });
  const seen = async (range: 'Day' | 'Year', steps: number) => {
    const answer = await hub.as(owner, 'repositories_QueryStoredBytes', { repositoryId, range });
    return [answer.storedBytes.slice(-steps), answer.servedBytes.slice(-steps)];
  };
  const serve = (bytes: number) => hub.run(RecordServedBytes, { served: [{ repositoryId, bytes }] });
  await add('a', 1000);
  await watch(2);
  await add('b', 500);
  await watch(1);
  hub.advance(2 * 3600);
  nodeId = await seedNode(hub, 'north');
  await hub.run(RecordHistory);
  await pass(60);
  await serve(300);
  await watch(2);
  await serve(40);
  // prettier-ignore
  expect(await seen('Day', 3)).toEqual([[1000, null, 1500], [0, null, 340]]);
  // prettier-ignore
  expect(await seen('Year', 2)).toEqual([[null, 1500], [null, 340]]);
  await hub.as(owner, 'repositories_DeleteRepository', { repositoryId });
  await hub.run(RecordHistory);
  const { rows } = await sql`select 1 from history where kind = 'Repository'`.execute(hub.database.db);
  expect(rows).toEqual([]);
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
  const { connected, disconnected, gaps, events, inventedUntil } = await history();
  expect(Date.parse(inventedUntil ?? '')).toBe(hub.now().getTime());
  const seen = connected.filter((value) => value !== null);
  expect(seen.length).toBeGreaterThan(280);
  expect([Math.min(...seen) > 110, Math.max(...seen) <= 200]).toEqual([true, true]);
  expect((connected[100] ?? 0) + (disconnected[100] ?? 0)).toBeGreaterThan(190);
  expect(gaps.filter(({ from }) => from.includes('03:12'))).toHaveLength(1);
  expect(events.Info[100], 'their list would be empty').toBe(0);
  const { fields } = await hub.as(project.owner, 'projects_QueryVersionHistory', {
    projectId: project.projectId,
    range: 'Month',
  });
  const versions = fields.find(({ field }) => field === 'app.version')?.values ?? [];
  expect(versions.map(({ value }) => value)).toEqual(['1.3.2', '1.4.0', '1.4.1', '1.5.0-rc.1']);
  hub.advance(1800);
  expect(await hub.run(InventHistory, demo)).toEqual({ isWritten: false });
});
