import type { Id } from '@corral/contract';
import { Ticker } from '@corral/client';
import pg from 'pg';
import { prepareDevices, deviceHeaders, type BenchDevices } from '../devices.ts';
import { percentile } from '../load.ts';
import { processorSecs, sleep, startProgram } from '../processes.ts';
import { barLine, type Line } from '../table.ts';
import type { Testbed } from '../testbed.ts';
import { connectLightAgent } from './light-agent.ts';
import type { LightAgentsCommand } from './light-agents-process.ts';
import { restartMonitored } from './monitored-hub.ts';

const count = 10_000;
const processes = 2;
const clicks = 150;
/** PostgreSQL counts what an idle connection did after ten seconds at the latest. */
const [settleMs, quietMs] = [12_000, 10_000];
const bars = { runSecs: 30, clickMs: 200, heldBytes: 1_024, turnMs: 50 };
const steps = [{ kind: 'DeviceCommand' as const, command: 'restart', input: {} }];

/** 10,000 connected devices: what the claims cost that they hold, how long one command on all of them takes, and how soon one begins that a person starts. */
export async function connectedOperations(testbed: Testbed): Promise<Line[]> {
  const devices = await prepareDevices(testbed.user, count + 2);
  const monitored = await restartMonitored(testbed);
  const client = new pg.Client({ connectionString: testbed.databaseUrl });
  await client.connect();
  const fleet = await startAgents(monitored.hub.url, devices);
  try {
    const held = await heldLines({ client, heapBytes: monitored.heapBytes, claim: fleet.claim });
    await monitored.longestTurnMs();
    const usedBefore = processorSecs(monitored.hub.program.pid);
    const runSecs = await runOnAll(testbed);
    const usedSecs = processorSecs(monitored.hub.program.pid) - usedBefore;
    const turnMs = await monitored.longestTurnMs();
    return [
      ...held,
      barLine({
        what: `${count} devices run a short command, from the start to the end of all (${usedSecs.toFixed(1)} s of processor time of the hub)`,
        unit: 's',
        ours: runSecs,
        bar: bars.runSecs,
      }),
      barLine({
        what: 'longest turn of the event loop meanwhile (processor time)',
        unit: 'ms',
        ours: turnMs,
        bar: bars.turnMs,
      }),
      ...(await clickLines(testbed, devices)),
    ];
  } finally {
    await fleet.stop();
    await client.end();
  }
}

async function startAgents(url: string, devices: BenchDevices) {
  const size = count / processes;
  const programs = Array.from({ length: processes }, () =>
    startProgram('bench/src/operations/light-agents-process.ts'),
  );
  await Promise.all(
    programs.map(async (program, index) => {
      const some = devices.deviceIds.slice(index * size, (index + 1) * size);
      const command: LightAgentsCommand = {
        url,
        headers: deviceHeaders(devices),
        devices: some.map((deviceId, at) => ({
          deviceId,
          fingerprint: devices.fingerprints[index * size + at] ?? '',
        })),
      };
      program.writeLine(JSON.stringify(command));
      await program.waitForLine(/^connected (\d+)$/);
    }),
  );
  return {
    async claim() {
      for (const program of programs) program.writeLine('claim');
      await Promise.all(programs.map((program) => program.waitForLine(/^claiming (\d+)$/)));
    },
    stop: () => Promise.all(programs.map((program) => program.stop())),
  };
}

interface HeldParts {
  readonly client: pg.Client;
  readonly heapBytes: () => Promise<number>;
  readonly claim: () => Promise<void>;
}

/** What held claims cost: memory, and transactions of the database beside those that connected devices cost anyway. */
async function heldLines({ client, heapBytes, claim }: HeldParts): Promise<Line[]> {
  await sleep(settleMs);
  const before = { heap: await heapBytes(), perSecond: await transactionsPerSecond(client) };
  await claim();
  const claimed = `select count(*)::int as devices from device_abilities where claimed_at is not null`;
  while ((await client.query<{ devices: number }>(claimed)).rows[0]?.devices !== count) await sleep(500);
  await sleep(settleMs);
  const after = { heap: await heapBytes(), perSecond: await transactionsPerSecond(client) };
  return [
    barLine({
      what: `a held claim, memory (${count} held)`,
      unit: 'bytes',
      ours: (after.heap - before.heap) / count,
      bar: bars.heldBytes,
    }),
    barLine({
      what: `${count} held claims, transactions a second (${after.perSecond.toFixed(1)}) beyond those without (${before.perSecond.toFixed(1)})`,
      unit: '/s',
      ours: Math.max(0, after.perSecond - before.perSecond),
      bar: 1,
    }),
  ];
}

async function transactionsPerSecond(client: pg.Client): Promise<number> {
  const read = async () => {
    await client.query('select pg_stat_clear_snapshot()');
    const text =
      'select xact_commit + xact_rollback as done from pg_stat_database where datname = current_database()';
    return Number((await client.query<{ done: string }>(text)).rows[0]?.done);
  };
  const before = await read();
  await sleep(quietMs);
  return ((await read()) - before) / (quietMs / 1_000);
}

/** From the start of an operation on all devices in one stage to its end, in seconds. */
async function runOnAll({ user: { executor, projectId } }: Testbed): Promise<number> {
  const { fleetOperationId } = await executor.invoke('fleet_CreateOperation', {
    projectId,
    name: 'Restart',
    selector: { predicates: [], query: 'can:operations' },
    stages: [{ name: 'All' }],
    steps,
    maxInFlight: 2_000,
  });
  const startedAt = performance.now();
  await executor.invoke('fleet_StartOperation', { fleetOperationId });
  for (;;) {
    await sleep(250);
    const found = await executor.invoke('fleet_GetOperation', { fleetOperationId });
    if (found.result !== 'Found') throw new Error('The operation is gone.');
    const { status, progress } = found.summary;
    if (status === 'Running') continue;
    if (progress.succeeded !== count) throw new Error(`It ended with ${JSON.stringify(progress)}.`);
    return (performance.now() - startedAt) / 1_000;
  }
}

/** From the click of a person to the begin of the command on the device: one that claims its work, and one to which the hub opens a channel. */
async function clickLines({ hub, user }: Testbed, devices: BenchDevices): Promise<Line[]> {
  const lines: Line[] = [];
  for (const [index, carrier] of ['claim', 'channel'].entries()) {
    const deviceId = devices.deviceIds[count + index] as Id<'device'>;
    const fingerprint = devices.fingerprints[count + index] ?? '';
    let begun = Promise.withResolvers<number>();
    const agent = await connectLightAgent({
      url: hub.url,
      headers: { ...deviceHeaders(devices), 'x-device-fingerprint': fingerprint },
      deviceId,
      ticker: new Ticker(),
      onCommand: () => begun.resolve(performance.now()),
    });
    if (carrier === 'claim') agent.claim().catch(() => undefined);
    else await agent.offerCommands();
    const durations: number[] = [];
    for (let click = 0; click < clicks; click += 1) {
      begun = Promise.withResolvers();
      const clickedAt = performance.now();
      const { deviceOperationId } = await user.executor.invoke('devices_CreateOperation', {
        deviceId,
        name: 'Restart',
        steps,
      });
      await user.executor.invoke('devices_StartOperation', { deviceOperationId });
      durations.push((await begun.promise) - clickedAt);
      await ended(user.executor, deviceOperationId);
    }
    lines.push(
      barLine({
        what: `from a click to the begin of its command by a ${carrier}, p99 (p50 ${percentile(durations, 0.5).toFixed(1)} ms)`,
        unit: 'ms',
        ours: percentile(durations, 0.99),
        bar: bars.clickMs,
      }),
    );
  }
  return lines;
}

async function ended(
  executor: Testbed['user']['executor'],
  deviceOperationId: Id<'deviceOperation'>,
): Promise<void> {
  for (;;) {
    const found = await executor.invoke('devices_GetOperation', { deviceOperationId });
    if (found.result === 'Found' && found.summary.status === 'Succeeded') return;
    await sleep(10);
  }
}
