import { abuses, httpAbuses } from '@corral/fuzz';
import type { RpcClient } from '@corral/multiplex';
import type { AbuseCommand } from './abuse-process.ts';
import { administrator, type BenchHub } from './bench-hub.ts';
import { connectDevices } from './connect-devices.ts';
import { deviceHeaders, prepareDevices } from './devices.ts';
import { percentile } from './load.ts';
import { residentBytes, sleep, startProgram, yieldProcessors, type Program } from './processes.ts';
import type { Testbed } from './testbed.ts';
import { barLine, line, type Line } from './table.ts';

const goodDevices = 1_000;
const abusers = 100;
const callsPerSecond = 200;
const windowMs = 3_000;
/** How long the abuse goes on before it is measured, and how long the hub rests after it. */
const settleMs = 1_000;
const restMs = 30_000;
const minuteMs = 60_000;
const bars = { callMs: 50, memory: 1.1 };

type KindName = NonNullable<AbuseCommand['name']>;

const kindNames = Object.keys({ ...abuses, ...httpAbuses }) as KindName[];

/** What is measured: a thousand devices, and a program that abuses the hub or another server. */
interface Stage {
  readonly clients: readonly RpcClient[];
  readonly program: Program;
  readonly hub: BenchHub;
  readonly command: AbuseCommand;
}

/** Latency of calls by well-behaved devices beside all kinds of abuse for some minutes, and the memory of the hub afterwards. */
export const abuseParts = {
  short: (testbed: Testbed): Promise<Line[]> => besideAll(testbed, 3),
  mixed: (testbed: Testbed): Promise<Line[]> => besideAll(testbed, 10),
};

function besideAll(testbed: Testbed, minutes: number): Promise<Line[]> {
  return onStage(testbed, async ({ program, command, clients, hub }) => {
    // Each kind leaves what the hub keeps for it in any case.
    for (const name of kindNames) await besides(program, { ...command, name }, () => sleep(windowMs));
    await sleep(restMs);
    const beforeBytes = residentBytes(hub.program.pid);
    const calm = percentile(await measure(clients, windowMs), 0.99);
    const p99s = await besides(program, command, async () => {
      const ofMinutes: number[] = [];
      for (let minute = 0; minute < minutes; minute += 1)
        ofMinutes.push(percentile(await measure(clients, minuteMs), 0.99));
      return ofMinutes;
    });
    await sleep(restMs);
    return [
      barLine({
        what: `${goodDevices} good devices beside all kinds of abuse: p99 of a call in the slowest of ${minutes} minutes`,
        unit: 'ms',
        ours: Math.max(...p99s),
        anchor: calm,
        anchorName: 'without abuse',
        bar: bars.callMs,
      }),
      line(
        {
          what: 'memory of the hub after it',
          unit: 'MiB',
          ours: residentBytes(hub.program.pid) / 1_048_576,
          anchor: beforeBytes / 1_048_576,
          anchorName: 'before it',
        },
        { atMost: bars.memory },
      ),
    ];
  });
}

async function onStage(testbed: Testbed, work: (stage: Stage) => Promise<Line[]>): Promise<Line[]> {
  const devices = await prepareDevices(testbed.user, goodDevices + abusers);
  const hub = await testbed.restart();
  const good = await connectDevices(hub.url, devices, goodDevices);
  const program = startProgram('bench/src/abuse-process.ts');
  // Who abuses a hub does it from elsewhere: what the abusers themselves compute must not take time from hub and devices.
  yieldProcessors(program);
  await measure(good.clients, windowMs);
  const { token, cookie, userId } = testbed.user;
  const headers = deviceHeaders(devices);
  const command: AbuseCommand = {
    url: hub.url,
    headers,
    fingerprints: devices.fingerprints.slice(goodDevices),
    who: {
      ...administrator,
      token,
      cookie,
      userId,
      deviceId: devices.deviceIds[0] ?? '',
      deviceHeaders: headers,
      deviceFingerprints: devices.fingerprints.slice(goodDevices),
    },
  };
  const lines = await work({ clients: good.clients, program, hub, command });
  await program.stop();
  good.close();
  return lines;
}

/** Does work while the program abuses the hub. */
async function besides<Result>(
  program: Program,
  command: AbuseCommand,
  work: () => Promise<Result>,
): Promise<Result> {
  program.writeLine(JSON.stringify(command));
  await sleep(settleMs);
  const result = await work();
  program.writeLine('');
  await program.waitForLine(/stopped/);
  return result;
}

/** Calls at a constant rate, without waiting for earlier answers; resolves with how long each took, in milliseconds. */
async function measure(clients: readonly RpcClient[], durationMs: number): Promise<number[]> {
  const tookMs: number[] = [];
  const calls: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let count = 0; count * 1_000 < durationMs * callsPerSecond; count += 1) {
    const dueAt = startedAt + (count * 1_000) / callsPerSecond;
    const earlyMs = dueAt - performance.now();
    if (earlyMs > 0) await sleep(earlyMs);
    const rpc = clients[count % clients.length];
    // A timer may fire a fraction of a millisecond early.
    const sentAt = Math.min(dueAt, performance.now());
    calls.push(timed(() => rpc?.invoke('actor_GetActor', {}) ?? Promise.resolve(), sentAt, tookMs));
  }
  await Promise.all(calls);
  return tookMs;
}

async function timed(call: () => Promise<unknown>, sentAt: number, tookMs: number[]): Promise<void> {
  await call();
  tookMs.push(performance.now() - sentAt);
}
