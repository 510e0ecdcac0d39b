import type { Executor } from '@corral/client';
import { ids, type CallInput, type Id } from '@corral/contract';
import pg from 'pg';
import { listLines, sessionOf, type ListKind } from '../list-times.ts';
import { percentile } from '../load.ts';
import { sleep } from '../processes.ts';
import { barLine, type Line } from '../table.ts';
import type { Testbed } from '../testbed.ts';
import { type MonitoredHub, restartMonitored } from './monitored-hub.ts';
import { deviceCount, endNode, seedDevices } from './seed.ts';
import { definitionOf, gate, selectors } from './selectors.ts';

const previews = 20;
const bars = { previewMs: 1_000, startMs: 5_000, meanwhileMs: 50, turnMs: 50, pageMs: 100, countMs: 250 };
const pageRows = 50;
const pollMs = 20;

/** What the parts of the section act on. */
interface Scene {
  readonly session: Executor;
  readonly monitored: MonitoredHub;
  readonly client: pg.Client;
  readonly projectId: Id<'project'>;
}

/** Operations on 100,000 devices: their previews, their start, the filters that ask for them, devices that join, a gate and their end. */
export async function largeOperations(testbed: Testbed): Promise<Line[]> {
  const { executor } = testbed.user;
  const created = await executor.invoke('projects_CreateProject', { name: 'Operations' });
  const projectId = created.projectId as Id<'project'>;
  const repository = await executor.invoke('repositories_CreateRepository', { name: 'acme' });
  if (repository.result !== 'Created') throw new Error('There is a repository of this name already.');
  const client = new pg.Client({ connectionString: testbed.databaseUrl });
  await client.connect();
  try {
    const monitored = await restartMonitored(testbed);
    // Afterwards no other hub starts on the database: one that never ends has the devices.
    await seedDevices(client, projectId, repository.repositoryId);
    const scene = { session: sessionOf(testbed), monitored, client, projectId };
    return [
      ...(await previewLines(scene)),
      ...(await startLines(scene)),
      ...(await lateLines(scene)),
      ...(await gateLines(scene)),
    ];
  } finally {
    await endNode(client);
    await client.end();
  }
}

async function previewLines({ session, monitored, projectId }: Scene): Promise<Line[]> {
  const lines: Line[] = [];
  for (const [what, selector] of Object.entries(selectors)) {
    const durations: number[] = [];
    await monitored.longestTurnMs();
    for (let count = 0; count < previews; count += 1)
      durations.push(
        await msOf(() => session.invoke('fleet_PreviewOperation', definitionOf(projectId, selector))),
      );
    const line = { what: `preview of ${deviceCount} devices by ${what}, p95`, unit: 'ms' };
    lines.push(
      barLine({ ...line, ours: percentile(durations, 0.95), bar: bars.previewMs }),
      turnLine(line.what.replace(', p95', ''), await monitored.longestTurnMs()),
    );
  }
  return lines;
}

/** Starts an operation on all devices, filters by it, and cancels it. */
async function startLines(scene: Scene): Promise<Line[]> {
  const { session, projectId, client } = scene;
  const fleetOperationId = await createAll(scene);
  const start = () => session.invoke('fleet_StartOperation', { fleetOperationId });
  const started = await meanwhile(scene, `${deviceCount} devices start`, start);
  // As many as a bad day leaves: one in fifty failed, the others succeeded.
  await client.query(
    `update device_operations set status = case when md5(device_id) < '05' then 'Failed' else 'Succeeded' end, completed_at = now() where fleet_operation_id = $1`,
    [ids.fleetOperation.raw(fleetOperationId)],
  );
  await client.query('vacuum analyze device_operations');
  const filtered = await listLines(filtersOf({ session, projectId }, fleetOperationId));
  await client.query(
    `update device_operations set status = 'Pending', completed_at = null where fleet_operation_id = $1`,
    [ids.fleetOperation.raw(fleetOperationId)],
  );
  const cancel = async () => {
    await session.invoke('fleet_CancelOperation', { fleetOperationId });
    await until(client, `completed_at is not null`, fleetOperationId);
  };
  return [
    ...started,
    ...filtered,
    ...(await meanwhile(scene, `${deviceCount} devices are cancelled`, cancel)),
  ];
}

async function createAll(
  { session, projectId }: Scene,
  more: Partial<CallInput<'fleet_CreateOperation'>> = {},
) {
  const all = definitionOf(projectId, { predicates: [], query: 'all' });
  return (await session.invoke('fleet_CreateOperation', { ...all, ...more })).fleetOperationId;
}

/** All devices join an operation at once: as if none of them had been there when it started. */
async function lateLines(scene: Scene): Promise<Line[]> {
  const { session, client } = scene;
  const fleetOperationId = await createAll(scene, {
    enrollmentIntervalSecs: 3_600,
    closeWhenConverged: false,
  });
  await session.invoke('fleet_StartOperation', { fleetOperationId });
  const of = [ids.fleetOperation.raw(fleetOperationId)];
  await client.query(`delete from device_operations where fleet_operation_id = $1`, of);
  const join = async () => {
    await client.query(
      `update fleet_operations set next_enrollment_at = now() where fleet_operation_id = $1`,
      of,
    );
    await until(client, `next_enrollment_at > now()`, fleetOperationId);
  };
  const lines = await meanwhile(scene, `${deviceCount} devices join later`, join);
  await session.invoke('fleet_CancelOperation', { fleetOperationId });
  await until(client, `completed_at is not null`, fleetOperationId);
  return lines;
}

/** A person asks for the next stage, whose gate looks at a property of each device of the stage before. */
async function gateLines(scene: Scene): Promise<Line[]> {
  const { session, client } = scene;
  const stages = [{ name: 'Most', percentage: 99, guard: { gates: [gate] } }, { name: 'All' }];
  const fleetOperationId = await createAll(scene, { stages });
  await session.invoke('fleet_StartOperation', { fleetOperationId });
  const longestLockMs: number[] = [];
  const advance = async () => {
    let isOver = false;
    const advanced = session
      .invoke('fleet_AdvanceOperationStage', { fleetOperationId })
      .finally(() => (isOver = true));
    // What a device that takes its step waits for.
    while (!isOver)
      longestLockMs.push(
        await msOf(() =>
          client.query(`select 1 from fleet_operations where fleet_operation_id = $1 for key share`, [
            ids.fleetOperation.raw(fleetOperationId),
          ]),
        ),
      );
    await advanced;
  };
  const lines = await meanwhile(scene, `a gate looks at ${deviceCount} devices`, advance);
  await session.invoke('fleet_CancelOperation', { fleetOperationId });
  const what = `a gate looks at ${deviceCount} devices: longest wait of a step`;
  return [...lines, barLine({ what, unit: 'ms', ours: Math.max(...longestLockMs), bar: bars.meanwhileMs })];
}

/** How long something takes, and what the list of devices takes and how long the event loop is held meanwhile. */
async function meanwhile(
  { session, monitored, projectId }: Scene,
  what: string,
  run: () => Promise<unknown>,
): Promise<Line[]> {
  await monitored.longestTurnMs();
  let isOver = false;
  const running = msOf(run).finally(() => (isOver = true));
  const durations: number[] = [];
  while (!isOver) {
    durations.push(
      await msOf(() => session.invoke('projects_QueryProjectDevices', { projectId, limit: pageRows })),
    );
    await sleep(pollMs);
  }
  return [
    barLine({ what, unit: 'ms', ours: await running, bar: bars.startMs }),
    barLine({
      what: `${what}: pages of devices meanwhile, p99 (p50 ${percentile(durations, 0.5).toFixed(1)} ms)`,
      unit: 'ms',
      ours: percentile(durations, 0.99),
      bar: bars.meanwhileMs,
    }),
    turnLine(what, await monitored.longestTurnMs()),
  ];
}

function turnLine(what: string, ours: number): Line {
  return barLine({
    what: `${what}: longest turn of the event loop (processor time)`,
    unit: 'ms',
    ours,
    bar: bars.turnMs,
  });
}

function filtersOf(
  { session, projectId }: Pick<Scene, 'session' | 'projectId'>,
  fleetOperationId: string,
): ListKind[] {
  const filters = [
    `op:${fleetOperationId}.failed`,
    `op:${fleetOperationId}`,
    `-op:${fleetOperationId}.succeeded`,
    'installed:acme/app@"<1.4"',
    'installed:acme/app',
    '-installed:acme/app@"<1.4"',
    'cmd:collect-7',
    '-cmd:restart',
    'can:operations',
    '-can:commands',
  ];
  return filters.flatMap((filter) => {
    const what = filter.replace(fleetOperationId, 'ID');
    return [
      {
        what: `${deviceCount} devices, page of ${what}`,
        barMs: bars.pageMs,
        calls: [() => session.invoke('projects_QueryProjectDevices', { projectId, limit: pageRows, filter })],
      },
      {
        what: `${deviceCount} devices, count of ${what}`,
        barMs: bars.countMs,
        calls: [() => session.invoke('projects_CountProjectDevices', { projectId, filter })],
      },
    ];
  });
}

async function msOf(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

async function until(
  client: pg.Client,
  condition: string,
  fleetOperationId: Id<'fleetOperation'>,
): Promise<void> {
  const text = `select 1 from fleet_operations where fleet_operation_id = $1 and ${condition}`;
  while ((await client.query(text, [ids.fleetOperation.raw(fleetOperationId)])).rows.length === 0)
    await sleep(pollMs);
}
