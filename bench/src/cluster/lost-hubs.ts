import { setTimeout as pause } from 'node:timers/promises';
import { hubNames, type HubName } from '@corral/tools';
import { barLine, type Line } from '../table.ts';
import { onCluster, type ClusterTestbed } from './cluster-testbed.ts';
import { counts } from './counts.ts';
import { startFleet } from './fleet.ts';
import { openPresence, type Presence } from './presence.ts';
import { startSteadyLoad, type LoadResult } from './steady-load.ts';

const [goneBarSecs, backBarSecs] = [20, 30];
/** Longer than a lease, and than a device waits for a silent hub. */
const pausedMs = 45_000;
const watchedAfterPauseMs = 10_000;

interface Loss {
  /** Until no connection of the hub is listed any more. */
  readonly goneSecs: number;
  /** Until all devices are connected to others. */
  readonly backSecs: number;
}

/** Hubs that are killed, and hubs that stand still and go on, under a fleet and calls that write. */
export function lostHubs(): Promise<Line[]> {
  return onCluster(async (bed) => {
    const presence = await openPresence(bed.databaseUrl);
    const fleet = await startFleet(bed, counts.devices);
    await presence.until(
      async () => (await presence.connected()) === counts.devices,
      'all devices connected',
    );
    const load = await startSteadyLoad(bed, counts.writesPerSecond);
    const [killed, paused]: [Loss[], Loss[]] = [[], []];
    let zombies = 0;
    for (let count = 0; count < counts.kills; count += 1) {
      const hub = hubNames[count % hubNames.length] as HubName;
      killed.push(await lose(presence, hub, () => bed.programs.signal(hub, 'SIGKILL')));
      await bed.programs.restart(hub);
    }
    for (let count = 0; count < counts.pauses; count += 1) {
      const hub = hubNames[count % hubNames.length] as HubName;
      const nodeId = await presence.nodeOf(hub);
      const begunAtMs = performance.now();
      paused.push(await lose(presence, hub, () => bed.programs.signal(hub, 'SIGSTOP')));
      await pause(Math.max(0, begunAtMs + pausedMs - performance.now()));
      zombies += await goOn(bed, presence, hub, nodeId);
    }
    const result = await load.stop();
    await fleet.stop();
    await presence.close();
    return linesOf(killed, paused, zombies, result);
  });
}

async function lose(presence: Presence, hub: HubName, strike: () => Promise<void>): Promise<Loss> {
  const nodeId = await presence.nodeOf(hub);
  const had = await presence.connectionsOf(nodeId);
  await strike();
  const gone = presence.until(async () => (await presence.connectionsOf(nodeId)) === 0, `gone from ${hub}`);
  // The lost hub holds its lease for a while, so its devices count as connected until then.
  const back = gone.then((goneSecs) =>
    presence
      .until(async () => (await presence.connected()) === counts.devices, 'devices back')
      .then((more) => goneSecs + more),
  );
  const loss = { goneSecs: await gone, backSecs: await back };
  process.stderr.write(
    `  ${hub} with ${had} devices: gone ${loss.goneSecs.toFixed(1)} s, back ${loss.backSecs.toFixed(1)} s\n`,
  );
  return loss;
}

/** The most connections that the hub had open under the id whose lease it has lost. */
async function goOn(bed: ClusterTestbed, presence: Presence, hub: HubName, nodeId: string): Promise<number> {
  await bed.programs.signal(hub, 'SIGCONT');
  let most = 0;
  const untilMs = performance.now() + watchedAfterPauseMs;
  while (performance.now() < untilMs) {
    most = Math.max(most, await presence.connectionsOf(nodeId));
    await pause(100);
  }
  await presence.until(async () => (await presence.connected()) === counts.devices, 'devices after a pause');
  return most;
}

function linesOf(
  killed: readonly Loss[],
  paused: readonly Loss[],
  zombies: number,
  { acknowledged, lost, longestGapMs }: LoadResult,
): Line[] {
  const slowest = (losses: readonly Loss[], of: (loss: Loss) => number) => Math.max(...losses.map(of));
  const under = `of ${counts.devices} devices, ${counts.writesPerSecond} writes/s`;
  const each = (losses: readonly Loss[], what: string): Line[] =>
    losses.length === 0
      ? []
      : [
          barLine({
            what: `${what} (${losses.length} ×, ${under}): connections gone from every answer`,
            unit: 's',
            ours: slowest(losses, ({ goneSecs }) => goneSecs),
            bar: goneBarSecs,
          }),
          barLine({
            what: `${what}: devices back`,
            unit: 's',
            ours: slowest(losses, ({ backSecs }) => backSecs),
            bar: backBarSecs,
          }),
        ];
  return [
    ...each(killed, 'hub killed'),
    ...each(paused, 'hub stands still for 45 s'),
    barLine({ what: 'connections that a hub wrote after its lease', unit: '', ours: zombies, bar: 0 }),
    barLine({ what: `acknowledged writes lost, of ${acknowledged}`, unit: '', ours: lost, bar: 0 }),
    {
      what: 'longest time without an acknowledged write: nginx waits 20 s for a hub that stands still',
      unit: 's',
      ours: longestGapMs / 1_000,
      goal: '',
      isMet: undefined,
    },
  ];
}
