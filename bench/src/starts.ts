import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@corral/hub';
import pg from 'pg';
import { startBenchHub } from './bench-hub.ts';
import { line, type Line } from './table.ts';

const silent = { info() {}, warn() {}, error() {} };
const warmStartGoalMs = 2_000;

/** Time from start to ready, compared with the time until its PostgreSQL alone answers. */
export async function starts(): Promise<Line[]> {
  const ours = await inFreshFolder(hubStarts);
  const anchor = await inFreshFolder(databaseStarts);
  const anchorName = 'its PostgreSQL alone until it answers';
  const cold = {
    what: 'start to ready, cold (first start)',
    unit: 'ms',
    ours: ours.coldMs,
    anchor: anchor.coldMs,
    anchorName,
  };
  const warm = {
    what: 'start to ready, warm',
    unit: 'ms',
    ours: ours.warmMs,
    anchor: anchor.warmMs,
    anchorName,
  };
  return [line(cold), { ...line(warm), goal: '≤ 2,000 ms', isMet: ours.warmMs <= warmStartGoalMs }];
}

interface Starts {
  readonly coldMs: number;
  readonly warmMs: number;
}

async function inFreshFolder(measure: (folder: string) => Promise<Starts>): Promise<Starts> {
  const folder = await mkdtemp(join(tmpdir(), 'corral-bench-'));
  try {
    return await measure(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function hubStarts(folder: string): Promise<Starts> {
  const start = async (): Promise<number> => {
    const hub = await startBenchHub({ CORRAL_DATA_DIR: folder });
    await hub.program.stop();
    return hub.readyAfterMs;
  };
  return { coldMs: await start(), warmMs: await median(start) };
}

async function databaseStarts(folder: string): Promise<Starts> {
  const start = async (): Promise<number> => {
    const startedAt = performance.now();
    const postgres = await startPostgres({ dataDir: folder, log: silent });
    const client = new pg.Client(postgres.connection);
    await client.connect();
    await client.query('select 1');
    const readyAfterMs = performance.now() - startedAt;
    await client.end();
    await postgres.stop();
    return readyAfterMs;
  };
  return { coldMs: await start(), warmMs: await median(start) };
}

/** The median of three runs. */
async function median(run: () => Promise<number>): Promise<number> {
  const runs = [await run(), await run(), await run()];
  return runs.toSorted((a, b) => a - b)[1] ?? Number.NaN;
}
