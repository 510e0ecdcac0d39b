import { setTimeout as pause } from 'node:timers/promises';
import { startDatabaseRelay, type Cut, type DatabaseRelay } from '@corral/tools';
import { barLine, type Line } from '../table.ts';
import { onCluster, type ClusterTestbed } from './cluster-testbed.ts';
import { counts } from './counts.ts';
import { startFleet } from './fleet.ts';
import { countMissed } from './missed-changes.ts';
import { openPresence, type Presence } from './presence.ts';
import { underLoad } from './steady-load.ts';

const backBarSecs = 10;
/** Cuts that end before the lease of the hub does, and after it: its devices are then connected to a hub that may not serve. */
const cuts: readonly { readonly how: Cut; readonly durationMs: number }[] = [
  { how: 'held', durationMs: 8_000 },
  { how: 'held', durationMs: 25_000 },
  { how: 'lost', durationMs: 25_000 },
];
const leaseMs = 15_000;
const [betweenMs, watchedAfterMs] = [5_000, 10_000];

/** One of three hubs that is cut off from the database and reached again, under devices, calls that write and a live view of it. */
export async function cutOffHub(): Promise<Line[]> {
  let relay: DatabaseRelay | undefined;
  try {
    return await onCluster((bed) => measure(bed, relay as DatabaseRelay), {
      async databaseUrlOf(hub, databaseUrl) {
        if (hub !== 'north') return databaseUrl;
        relay = await startDatabaseRelay(databaseUrl);
        return relay.url;
      },
    });
  } finally {
    await relay?.close();
  }
}

async function measure(bed: ClusterTestbed, relay: DatabaseRelay): Promise<Line[]> {
  const presence = await openPresence(bed.databaseUrl);
  const fleet = await startFleet(bed, counts.devices);
  const ended = { isOver: false };
  const longestMs = Math.max(...cuts.map(({ durationMs }) => durationMs));
  let [missed, zombies, slowestSecs] = [0, 0, 0];
  const result = await underLoad(bed, async () => {
    const watching = countMissed(bed, ended, 'north', longestMs);
    for (let round = 0; round < counts.cuts; round += 1)
      for (const cut of cuts) {
        await pause(betweenMs);
        const { backSecs, most } = await cutOff(bed, presence, relay, cut);
        slowestSecs = Math.max(slowestSecs, backSecs);
        zombies = Math.max(zombies, most);
      }
    ended.isOver = true;
    missed = await watching;
  });
  const all = async () => (await presence.connected()) === counts.devices;
  await presence.until(all, 'all devices connected');
  await fleet.stop();
  await presence.close();
  const what = `a hub cut off from the database ${counts.cuts * cuts.length} ×`;
  return [
    barLine({ what: `${what}: back after it`, unit: 's', ours: slowestSecs, bar: backBarSecs }),
    barLine({
      what: `${what}: answers but 200 and 503 with Retry-After`,
      unit: '',
      ours: result.others + result.broken,
      bar: 0,
    }),
    barLine({
      what: `${what}: acknowledged writes lost, of ${result.acknowledged}`,
      unit: '',
      ours: result.lost,
      bar: 0,
    }),
    barLine({ what: `${what}: changes missed in its live view`, unit: '', ours: missed, bar: 0 }),
    barLine({ what: `${what}: connections written after its lease`, unit: '', ours: zombies, bar: 0 }),
  ];
}

/** How long the hub takes to acknowledge a write again, and the most connections that it has then under an id whose lease has ended. */
async function cutOff(
  bed: ClusterTestbed,
  presence: Presence,
  relay: DatabaseRelay,
  { how, durationMs }: (typeof cuts)[number],
): Promise<{ readonly backSecs: number; readonly most: number }> {
  const nodeId = await presence.nodeOf('north');
  relay.cut(how);
  await pause(durationMs);
  relay.heal();
  const backSecs = await presence.until(() => writes(bed), 'north writes again');
  let most = 0;
  if (durationMs > leaseMs) {
    const untilMs = performance.now() + watchedAfterMs;
    while (performance.now() < untilMs) {
      most = Math.max(most, await presence.connectionsOf(nodeId));
      await pause(100);
    }
  }
  process.stderr.write(`  ${how} for ${durationMs / 1_000} s: back after ${backSecs.toFixed(1)} s\n`);
  return { backSecs, most };
}

async function writes(bed: ClusterTestbed): Promise<boolean> {
  const { executor } = bed.userOf('north');
  const { projectId } = bed.user;
  const made = executor.invoke('projects_CreateDeploymentToken', { projectId, name: 'after a cut' });
  return made.then(
    () => true,
    () => false,
  );
}
