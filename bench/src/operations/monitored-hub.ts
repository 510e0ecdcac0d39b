import type { BenchHub } from '../bench-hub.ts';
import { sleep } from '../processes.ts';
import type { Testbed } from '../testbed.ts';

/** A hub that tells of its event loop and its heap. */
export interface MonitoredHub {
  readonly hub: BenchHub;
  /** The longest turn of its event loop since the last call, in milliseconds of its processor time. */
  longestTurnMs(): Promise<number>;
  /** What it keeps, in bytes. */
  heapBytes(): Promise<number>;
}

const reportMs = 1_000;

/** Restarts the hub of a testbed as one that is watched, with these settings. */
export async function restartMonitored(
  testbed: Testbed,
  env: Record<string, string> = {},
): Promise<MonitoredHub> {
  const monitor = new URL('loop-monitor.ts', import.meta.url).href;
  const hub = await testbed.restart({ ...env, NODE_OPTIONS: `--import=${monitor}` });
  const turns: number[] = [];
  hub.program.onLine((text) => {
    const [, ms] = /^loop ([\d.]+)$/.exec(text) ?? [];
    if (ms !== undefined) turns.push(Number(ms));
  });
  return {
    hub,
    async longestTurnMs() {
      await sleep(reportMs * 1.2);
      return Math.max(0, ...turns.splice(0));
    },
    async heapBytes() {
      process.kill(hub.program.pid, 'SIGUSR2');
      return Number(await hub.program.waitForLine(/^heap (\d+)$/));
    },
  };
}
