import { setTimeout as pause } from 'node:timers/promises';
import { hubNames } from '@corral/tools';
import { barLine, type Line } from '../table.ts';
import { onCluster } from './cluster-testbed.ts';
import { counts } from './counts.ts';
import { countMissed } from './missed-changes.ts';
import { startSteadyForward } from './steady-forward.ts';
import { underLoad } from './steady-load.ts';

const backBarSecs = 10;
const databaseEveryMs = 20_000;
const natsEveryMs = 4_000;

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
        await bed.programs.restart('nats');
      }
      ended.isOver = true;
      missed = await watching;
    });
    const what = `NATS killed ${counts.natsKills} ×`;
    return [
      barOf(`${what}: answers but 200`, result.unavailable + result.others + result.broken),
      barOf(`${what}: acknowledged writes lost, of ${result.acknowledged}`, result.lost),
      barOf(`${what}: changes missed in a live view of another hub`, missed),
    ];
  });
}

/** All hubs are restarted one after the other, as for an upgrade. */
export function rollingRestart(): Promise<Line[]> {
  return onCluster(async (bed) => {
    const forward = await startSteadyForward(bed);
    const result = await underLoad(bed, async () => {
      for (let round = 0; round < counts.rollingRounds; round += 1)
        for (const hub of hubNames) {
          await pause(2_000);
          await bed.programs.signal(hub, 'SIGTERM');
          await bed.programs.restart(hub);
        }
      await pause(2_000);
    });
    const { served, refused, broken, longestMs, long } = await forward.stop();
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
      barOf(
        `${what}: connections to a forwarded port refused, of ${served + refused + broken}`,
        Math.max(0, refused),
      ),
      barOf(`${what}: longest wait of a connection to it`, longestMs / 1_000, backBarSecs, 's'),
      barOf(`${what}: connections broken off that were open on a hub that stopped`, broken),
      barOf(`${what}: one open connection all the time, times that it broke off`, long.hasSurvived ? 0 : 1),
      barOf(`${what}: its longest pause`, long.longestPauseMs / 1_000, backBarSecs, 's'),
    ];
  });
}
