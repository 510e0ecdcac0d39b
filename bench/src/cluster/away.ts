import { setTimeout as pause } from 'node:timers/promises';
import { hubNames } from '@corral/tools';
import { administrator } from '../bench-hub.ts';
import { prepareDevices } from '../devices.ts';
import { barLine, type Line } from '../table.ts';
import { onCluster, type ClusterBed } from './cluster-bed.ts';
import { counts } from './counts.ts';
import { openAnswer, signIn } from './person.ts';
import { startSteadyLoad, type LoadResult } from './steady-load.ts';

const backBarSecs = 10;
const databaseEveryMs = 20_000;
const natsEveryMs = 4_000;
/** Changes that are later than this in a live view, which has not been told to reload, are missed. */
const missedAfterMs = 15_000;

const barOf = (what: string, ours: number, bar = 0, unit = ''): Line => barLine({ what, unit, ours, bar });

/** PostgreSQL that is restarted again and again under calls that write. */
export function databaseRestarts(): Promise<Line[]> {
  return onCluster(async (bed) => {
    const result = await underLoad(bed, async () => {
      for (let count = 0; count < counts.databaseRestarts; count += 1) {
        await pause(databaseEveryMs);
        const pid = bed.databasePid();
        if (pid !== undefined) process.kill(pid, 'SIGINT');
      }
      await pause(databaseEveryMs);
    });
    const what = `database restarted ${counts.databaseRestarts} ×, every 20 s`;
    return [
      barOf(`${what}: answers but 200 and 503 with Retry-After`, result.others + result.broken),
      barOf(`${what}: acknowledged writes lost, of ${result.acknowledged}`, result.lost),
      barOf(
        `${what}: longest time without an acknowledged write`,
        result.longestGapMs / 1_000,
        backBarSecs,
        's',
      ),
    ];
  });
}

/** NATS that is killed again and again under calls that write, and a live view of another hub meanwhile. */
export function natsKills(): Promise<Line[]> {
  return onCluster(async (bed) => {
    let missed = 0;
    const result = await underLoad(bed, async () => {
      const ended = { isOver: false };
      const watching = countMissed(bed, ended);
      for (let count = 0; count < counts.natsKills; count += 1) {
        await pause(natsEveryMs);
        await bed.programs.signal('nats', 'SIGKILL');
        await pause(natsEveryMs);
        await bed.programs.startAgain('nats');
      }
      ended.isOver = true;
      missed = await watching;
    });
    const what = `NATS killed ${counts.natsKills} ×`;
    return [
      barOf(`${what}: answers but 200`, result.told + result.others + result.broken),
      barOf(`${what}: acknowledged writes lost, of ${result.acknowledged}`, result.lost),
      barOf(`${what}: changes missed in a live view of another hub`, missed),
    ];
  });
}

/** All hubs are restarted one after the other, as for an upgrade. */
export function rollingRestart(): Promise<Line[]> {
  return onCluster(async (bed) => {
    const result = await underLoad(bed, async () => {
      for (let round = 0; round < counts.rollingRounds; round += 1)
        for (const hub of hubNames) {
          await pause(2_000);
          await bed.programs.signal(hub, 'SIGTERM');
          await bed.programs.startAgain(hub);
        }
      await pause(2_000);
    });
    const what = `${counts.rollingRounds * hubNames.length} hubs restarted in turn`;
    return [
      barOf(`${what}: acknowledged writes lost, of ${result.acknowledged}`, result.lost),
      barOf(`${what}: answers but 200 and 503 with Retry-After`, result.others),
      barOf(
        `${what}: longest time without an acknowledged write`,
        result.longestGapMs / 1_000,
        backBarSecs,
        's',
      ),
    ];
  });
}

async function underLoad(bed: ClusterBed, work: () => Promise<void>): Promise<LoadResult> {
  const load = await startSteadyLoad(bed, counts.writesPerSecond);
  await work();
  const result = await load.stop();
  const { acknowledged, told, others, broken } = result;
  process.stderr.write(
    `  ${acknowledged} acknowledged, ${told} told to wait, ${others} other answers, ${broken} broken\n`,
  );
  return result;
}

/** Changes a device at one hub again and again, and counts the changes of which the live view of another is told nothing. */
async function countMissed(bed: ClusterBed, until: { readonly isOver: boolean }): Promise<number> {
  const { deviceIds } = await prepareDevices(bed.user, 1);
  const [deviceId = '' as never] = deviceIds;
  const url = bed.hubUrls.east;
  const { cookie } = await signIn(administrator, url, administrator.password);
  const waiting = new Set<() => void>();
  const { close } = await openAnswer(`${url}/api/v1/stream`, { cookie }, (text) => {
    if (text.includes(deviceId) || text.includes('event: reset')) for (const seen of waiting) seen();
  });
  let missed = 0;
  for (let change = 0; !until.isOver; change += 1) {
    const told = new Promise<boolean>((resolve) => {
      const seen = (): void => (waiting.delete(seen), resolve(true));
      waiting.add(seen);
      setTimeout(() => (waiting.delete(seen), resolve(false)), missedAfterMs);
    });
    await bed
      .userOf('south')
      .executor.invoke('devices_SetDeviceName', { deviceId, name: `changed ${change}` });
    if (!(await told)) missed += 1;
  }
  close();
  return missed;
}
