import type { Executor } from '@corral/client';
import type { Id } from '@corral/contract';
import pg from 'pg';
import { sessionOf } from '../list-times.ts';
import { percentile } from '../load.ts';
import { type MonitoredHub, restartMonitored } from '../operations/monitored-hub.ts';
import { sleep } from '../processes.ts';
import { barLine, type Line } from '../table.ts';
import type { Testbed } from '../testbed.ts';
import { startReceiver } from './receiver.ts';
import { connectAll, endNode, leaveAll, seedDevices, seedNode } from './seed.ts';

const deviceCount = 100_000;
const singleCount = 20;
const bars = { singleMs: 5_000, stormMs: 300_000, lookMs: 1_000, meanwhileMs: 100, turnMs: 50 };
const pollMs = 20;
const pageRows = 50;
const quietMs = 20_000;
const looks = 5;
const lookEveryMs = 4_000;

/** What the parts of the section act on. */
interface Scene {
  readonly session: Executor;
  readonly monitored: MonitoredHub;
  readonly client: pg.Client;
  readonly receiver: Awaited<ReturnType<typeof startReceiver>>;
}

/** How soon people are told that a device is away, and what 100,000 devices cost that leave at once and come back. */
export async function alerts(testbed: Testbed): Promise<Line[]> {
  const client = new pg.Client({ connectionString: testbed.databaseUrl });
  await client.connect();
  const receiver = await startReceiver();
  try {
    const monitored = await restartMonitored(testbed, { CORRAL_PRIVATE_TARGETS: '127.0.0.1:*' });
    await seedNode(client);
    // So that no device is thought to be coming back.
    await client.query('update alert_watch set resumed_at = null');
    const scene = { session: sessionOf(testbed), monitored, client, receiver };
    return [...(await singleLines(scene)), ...(await stormLines(scene))];
  } finally {
    await endNode(client);
    await client.end();
    await receiver.stop();
  }
}

async function projectOf({ session, client, receiver }: Scene, name: string, devices: number) {
  const { projectId } = await session.invoke('projects_CreateProject', { name });
  const { webhookId } = await session.invoke('projects_CreateWebhook', {
    projectId,
    name: 'Receiver',
    url: receiver.url,
    types: [],
  });
  await seedDevices(client, projectId, devices);
  const addRule = (ruleName: string, filter: string, forSecs: number) =>
    session.invoke('alerts_CreateRule', {
      projectId,
      name: ruleName,
      condition: { kind: 'Offline', filter, forSecs },
      severity: 'Critical',
      channels: { mails: 'Members', webhookIds: [webhookId] },
    });
  return { projectId, addRule };
}

/** From the end of a connection to the message at the receiver, of rules with a device each that wait for nothing. */
async function singleLines(scene: Scene): Promise<Line[]> {
  const { client, receiver } = scene;
  const { projectId, addRule } = await projectOf(scene, 'Few', 1_000);
  for (let number = 1; number <= singleCount; number += 1)
    await addRule(`single-${number}`, `name:device-${number}`, 0);
  await sleep(5_000);
  const durations: number[] = [];
  for (let number = 1; number <= singleCount; number += 1) {
    await leaveAll(client, projectId, `device-${number}`);
    const leftAtMs = performance.now();
    durations.push((await messageOf(receiver, `single-${number}`, 'alert.fired')).atMs - leftAtMs);
  }
  // So that they take nothing of what is measured next.
  await client.query('delete from alert_rules');
  return [
    barLine({
      what: `from the end of a connection to the message, ${singleCount} rules, p95 (p50 ${Math.round(percentile(durations, 0.5))} ms)`,
      unit: 'ms',
      ours: percentile(durations, 0.95),
      bar: bars.singleMs,
    }),
  ];
}

async function messageOf({ received }: Scene['receiver'], ruleName: string, type: string) {
  for (;;) {
    const found = received.find((message) => message.data.ruleName === ruleName && message.type === type);
    if (found !== undefined) return found;
    await sleep(pollMs);
  }
}

async function stormLines(scene: Scene): Promise<Line[]> {
  const { client } = scene;
  const { projectId, addRule } = await projectOf(scene, 'Many', deviceCount);
  await addRule('storm', 'all', 60);
  await sleep(10_000);
  const away = await meanwhile(scene, projectId, `${deviceCount} devices leave at once`, 'alert.fired', () =>
    leaveAll(client, projectId),
  );
  const lookMs = await looksOf(scene);
  const back = await meanwhile(scene, projectId, `${deviceCount} devices come back`, 'alert.resolved', () =>
    connectAll(client, projectId),
  );
  return [
    ...away,
    barLine({
      what: `a look at ${deviceCount} devices that are away`,
      unit: 'ms',
      ours: lookMs,
      bar: bars.lookMs,
    }),
    ...back,
  ];
}

/** What a look costs while nothing changes, on average. */
async function looksOf({ client, monitored }: Scene): Promise<number> {
  const before = await lookSeconds(monitored);
  for (let look = 0; look < looks; look += 1) {
    await client.query(`update alert_rules set next_look_at = now() where name = 'storm'`);
    await sleep(lookEveryMs);
  }
  const after = await lookSeconds(monitored);
  return ((after.sum - before.sum) / (after.count - before.count)) * 1_000;
}

/** How long all looks took together, and how many there were. */
async function lookSeconds({ hub }: MonitoredHub): Promise<{ sum: number; count: number }> {
  const text = await (await fetch(`${hub.url}/metrics`)).text();
  const of = (what: string) =>
    Number(
      new RegExp(
        `^corral_action_seconds_${what}\\{action="alerts_LookAtRule",outcome="Ok"\\} (\\S+)$`,
        'mu',
      ).exec(text)?.[1],
    );
  return { sum: of('sum'), count: of('count') };
}

/** Until the message that tells of all of them: how long that takes, how many messages there are, and what pages of the list of devices and the event loop take. */
async function meanwhile(
  { session, monitored, receiver }: Scene,
  projectId: Id<'project'>,
  what: string,
  type: 'alert.fired' | 'alert.resolved',
  change: () => Promise<void>,
): Promise<Line[]> {
  const before = await pagesUntil(session, projectId, startOf());
  await change();
  await monitored.longestTurnMs();
  const beganMs = performance.now();
  const of = () =>
    receiver.received.filter((message) => message.data.ruleName === 'storm' && message.type === type);
  const told = () => of().reduce((sum, { data }) => sum + data.count + data.resolvedCount, 0);
  const durations = await pagesUntil(
    session,
    projectId,
    () => told() >= deviceCount || performance.now() - beganMs > 2 * bars.stormMs,
  );
  const ours = performance.now() - beganMs;
  return [
    barLine({
      what: `${what}: until all are told`,
      unit: 'ms',
      ours,
      bar: type === 'alert.fired' ? bars.stormMs : 2 * bars.stormMs,
    }),
    barLine({ what: `${what}: messages to a channel`, unit: 'messages', ours: of().length, bar: 1 }),
    barLine({
      what: `${what}: pages of devices meanwhile, p99 (p50 ${percentile(durations, 0.5).toFixed(1)} ms)`,
      unit: 'ms',
      ours: percentile(durations, 0.99),
      anchor: percentile(before, 0.99),
      anchorName: 'the same before, while nothing changes',
      bar: bars.meanwhileMs,
    }),
    barLine({
      what: `${what}: longest turn of the event loop (processor time)`,
      unit: 'ms',
      ours: await monitored.longestTurnMs(),
      bar: bars.turnMs,
    }),
  ];
}

/** Whether some seconds are over. */
function startOf(): () => boolean {
  const beganMs = performance.now();
  return () => performance.now() - beganMs > quietMs;
}

/** Reads pages of the list of devices, one after the other; how long each took. */
async function pagesUntil(
  session: Executor,
  projectId: Id<'project'>,
  isOver: () => boolean,
): Promise<number[]> {
  const durations: number[] = [];
  while (!isOver()) {
    const atMs = performance.now();
    await session.invoke('projects_QueryProjectDevices', { projectId, limit: pageRows });
    durations.push(performance.now() - atMs);
    await sleep(pollMs);
  }
  return durations;
}
