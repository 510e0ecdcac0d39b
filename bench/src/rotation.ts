import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Program, sleep, startProgram } from './processes.ts';
import { barLine, type Line } from './table.ts';
import type { Testbed } from './testbed.ts';

const [fleetCount, devicesOfFleet] = [3, 100];
const deviceCount = fleetCount * devicesOfFleet;
const graceSecs = 60;
const bars = { completedMs: 600_000 };
const pollMs = 1_000;
const giveUpMs = 1_200_000;
const [mostRounds, roundMs] = [3, 60_000];

/** A project with a simulated fleet of its own, since a project enrols ten devices a second. */
interface SimulatedFleet {
  readonly projectId: string;
  program: Program;
  restart(): Promise<void>;
}

/** Replaces the certificates of simulated devices, while the hub is killed and the devices are restarted: how many are locked out, and whether any connects with a certificate that nobody announced. */
export async function rotation(testbed: Testbed): Promise<Line[]> {
  const folder = await mkdtemp(join(tmpdir(), 'corral-rotation-'));
  const client = new pg.Client({ connectionString: testbed.databaseUrl });
  await client.connect();
  const fleets: SimulatedFleet[] = [];
  try {
    for (let count = 0; count < fleetCount; count += 1)
      fleets.push(await startFleet(testbed, join(folder, `fleet-${count}`), count));
    const counted = counter(client, fleets);
    await until(counted.enrolled, deviceCount, 'enrolled');
    return await rotateAll(testbed, fleets, counted);
  } finally {
    for (const { program } of fleets) process.kill(program.pid, 'SIGKILL');
    await client.end();
    await rm(folder, { recursive: true, force: true });
  }
}

async function startFleet({ user, hub }: Testbed, state: string, number: number): Promise<SimulatedFleet> {
  const { projectId } = await user.executor.invoke('projects_CreateProject', { name: `Rotation ${number}` });
  const { token } = await user.executor.invoke('projects_CreateDeploymentToken', {
    projectId,
    name: 'simulated',
    flags: { autoAccept: true },
  });
  const start = (): Program =>
    startProgram('agent/bin/corral-agent.cjs', ['simulate', '--devices', `${devicesOfFleet}`], {
      CORRAL_AGENT_HUB_URL: hub.url,
      CORRAL_AGENT_TOKEN: token,
      CORRAL_AGENT_STATE: state,
    });
  const fleet = {
    projectId,
    program: start(),
    async restart() {
      process.kill(fleet.program.pid, 'SIGKILL');
      await fleet.program.ended();
      fleet.program = start();
    },
  };
  return fleet;
}

type Counted = ReturnType<typeof counter>;

async function rotateAll(
  testbed: Testbed,
  fleets: readonly SimulatedFleet[],
  counted: Counted,
): Promise<Line[]> {
  const startedAtMs = performance.now();
  for (const { projectId } of fleets)
    await testbed.user.executor.invoke('devices_StartCertificateRotation', {
      projectId: projectId as never,
      query: 'all',
      graceSecs,
    });
  await until(counted.windows, deviceCount, 'windows');
  const openedMs = performance.now() - startedAtMs;
  const announcedAtKill = await disturb(testbed, fleets, counted);
  await until(counted.completed, deviceCount * 0.95, 'completed');
  // One of 25 is away for most of the time: a restart has it come for some seconds.
  for (let round = 0; round < mostRounds && (await counted.completed()) < deviceCount; round += 1) {
    for (const fleet of fleets) await fleet.restart();
    await until(counted.completed, deviceCount, 'completed', roundMs);
  }
  const completedMs = performance.now() - startedAtMs;
  const restartedAt = new Date();
  for (const fleet of fleets) await fleet.restart();
  await until(() => counted.cameSince(restartedAt), deviceCount, 'came again');
  return [
    barLine({
      what: `certificates of ${deviceCount} simulated devices replaced, with a grace of ${graceSecs} s, the hub killed when ${announcedAtKill} had announced one and all devices killed at ${deviceCount * 0.6}: from the first window to the last end of an old one (all windows open after ${(openedMs / 1_000).toFixed(1)} s)`,
      unit: 's',
      ours: completedMs / 1_000,
      bar: bars.completedMs / 1_000,
    }),
    ...(await faults(counted, restartedAt)),
  ];
}

/** Kills the hub and then the devices in the middle; resolves with how many had announced a certificate when the hub was killed. */
async function disturb(
  testbed: Testbed,
  fleets: readonly SimulatedFleet[],
  counted: Counted,
): Promise<number> {
  // Devices look for a window when they connect.
  await testbed.restart();
  await until(counted.announced, deviceCount * 0.3, 'announced');
  process.kill(testbed.hub.program.pid, 'SIGKILL');
  await testbed.hub.program.ended();
  const announcedAtKill = await counted.announced();
  await testbed.restart();
  await until(counted.announced, deviceCount * 0.6, 'announced');
  // As after a loss of power: some are between two certificates.
  for (const fleet of fleets) await fleet.restart();
  return announcedAtKill;
}

async function faults(counted: Counted, restartedAt: Date): Promise<Line[]> {
  const none = (what: string, ours: number): Line => barLine({ what, unit: '', ours, bar: 0 });
  return [
    none(
      `locked out of ${deviceCount} simulated devices`,
      deviceCount - (await counted.cameSince(restartedAt)),
    ),
    none('connections with a certificate that nobody announced', await counted.strangers()),
    none('devices with other than one active certificate, or with a pending one', await counted.unclear()),
  ];
}

/** Counts in the database, of the devices of the fleets. */
function counter(client: pg.Client, fleets: readonly SimulatedFleet[]) {
  const count = async (sql: string, ...values: unknown[]): Promise<number> => {
    const projects = fleets.map(({ projectId }) => projectId.slice(projectId.indexOf('_') + 1));
    const { rows } = await client.query(`select count(*)::int as count from (${sql}) as found`, [
      projects,
      ...values,
    ]);
    return rows[0]?.count ?? 0;
  };
  const rotations = (states: string) => () =>
    count(`select 1 from certificate_rotations where project_id = any($1) and state in (${states})`);
  const devices = 'devices d where d.project_id = any($1)';
  return {
    enrolled: () =>
      count(
        `select 1 from ${devices} and exists (select 1 from device_connections where device_id = d.device_id)`,
      ),
    windows: rotations(`'Open', 'Announced', 'Arrived', 'Completed'`),
    announced: rotations(`'Announced', 'Arrived', 'Completed'`),
    completed: rotations(`'Completed'`),
    cameSince: (since: Date) =>
      count(
        `select 1 from ${devices} and exists (select 1 from device_connections where device_id = d.device_id and connected_at > $2)`,
        since,
      ),
    strangers: () =>
      count(
        `select 1 from device_connections c join devices d using (device_id) join device_certificates s using (certificate_id)
          where d.project_id = any($1) and s.created_at > (select min(started_at) from certificate_rotations r where r.device_id = c.device_id)
          and not exists (select 1 from certificate_rotations r where r.certificate_id = c.certificate_id)`,
      ),
    unclear: () =>
      count(
        `select 1 from ${devices} and (select count(*) filter (where status = 'Active') <> 1 or count(*) filter (where status = 'Pending') > 0
          from device_certificates where device_id = d.device_id)`,
      ),
  };
}

/** Waits until there are so many; after a while it goes on with those that there are. */
async function until(
  count: () => Promise<number>,
  wanted: number,
  what: string,
  withinMs = giveUpMs,
): Promise<void> {
  const startedAtMs = performance.now();
  for (;;) {
    const found = await count();
    if (found >= wanted) return;
    if (performance.now() - startedAtMs > withinMs) {
      process.stderr.write(`${what}: ${found} of ${wanted} after ${withinMs / 1_000} s\n`);
      return;
    }
    await sleep(pollMs);
  }
}
