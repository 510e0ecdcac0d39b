import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { seconds } from '../assets/transfers.ts';
import { startExecutable } from '../processes.ts';

/** The anchors: what operators use who have no command for it. */
export interface PlainTools {
  /** Dumps a database and copies assets, and flushes both. Resolves with the seconds. */
  backUp(databaseUrl: string, assets: string, to: string): Promise<number>;
  /** Restores both into an empty database and a new folder. Resolves with the seconds. */
  restore(from: string, databaseUrl: string, assets: string): Promise<number>;
}

/** What the anchors are, for the table. */
export const backupToolNames = 'pg_dump -Fc -Z 0, cp -a, sync';
/** The same of a restore. */
export const restoreToolNames = 'pg_restore -j 2, cp -a, sync; nothing is checked';

/** Uses the programs of the system; none of them computes or compares a digest. */
export const plainTools: PlainTools = {
  backUp: (databaseUrl, assets, to) =>
    seconds(async () => {
      await mkdir(to);
      const format = ['--format=custom', '--compress=0', '--file', join(to, 'rows.dump')];
      await run('pg_dump', [...format, databaseUrl]);
      await copy(assets, join(to, 'assets'));
    }),
  restore: (from, databaseUrl, assets) =>
    seconds(async () => {
      await copy(join(from, 'assets'), assets);
      const target = ['--jobs=2', '--no-owner', '--dbname', databaseUrl];
      await run('pg_restore', [...target, join(from, 'rows.dump')]);
    }),
};

/** Makes all that was written before durable, so that no measurement pays for another. */
export function flushDisk(): Promise<void> {
  return run('sync', []);
}

async function copy(from: string, to: string): Promise<void> {
  await run('cp', ['-a', from, to]);
  await run('sync', ['--file-system', to]);
}

/** Runs a program of the system, which must succeed. */
export function run(file: string, args: readonly string[]): Promise<void> {
  return startExecutable(file, args).waitForExit();
}
